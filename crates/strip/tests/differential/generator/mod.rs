//! Writes TypeScript programs from a grammar: the same program for the same seed, on every machine.
//!
//! Names are unique within a program where JavaScript wants them unique, so that what is refused is refused for its
//! syntax. Spaces, comments and line ends are strewn between tokens, line ends at places where they matter too.

mod classes;
mod expressions;
mod functions;
mod types;

/// A small generator of random numbers (splitmix64): no dependency, no change under us.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn one_in(&mut self, odds: usize) -> bool {
        self.below(odds) == 0
    }

    fn pick<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len())]
    }
}

/// One program.
pub(crate) fn program(seed: u64) -> String {
    let mut writer = Writer {
        random: Random(seed),
        out: String::new(),
        names: 0,
        in_generator: false,
        in_async: true,
        derived: false,
        loose: 0,
    };
    // Most programs are tidy; some break lines wherever a token ends.
    writer.loose = if writer.random.one_in(3) { 6 } else { 40 };
    for _ in 0..1 + writer.random.below(6) {
        writer.statement(3);
    }
    if writer.random.one_in(2) {
        writer.put("return ");
        writer.expression(2);
    }
    writer.out
}

struct Writer {
    random: Random,
    out: String,
    names: usize,
    in_generator: bool,
    in_async: bool,
    /// Whether the class being written extends another.
    derived: bool,
    /// One gap in this many is a comment or a line end.
    loose: usize,
}

impl Writer {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Optional space, sometimes a comment or a line end.
    fn gap(&mut self) {
        if self.random.one_in(self.loose) {
            let gap = self.random.pick(&["\n", "\n  ", "/* ; */", "/*\n*/", " // c (\n", "\t", "\u{a0}", "\r\n"]);
            self.put(gap);
        } else if self.random.one_in(3) {
            self.put(" ");
        }
    }

    fn token(&mut self, text: &str) {
        self.put(text);
        self.gap();
    }

    fn name(&mut self) -> String {
        self.names += 1;
        let stem = self.random.pick(&["a", "value", "été", "型", "𝒳", "as", "type", "of", "get", "async", "declare"]);
        format!("{stem}{}", self.names)
    }

    fn reference(&mut self) -> &'static str {
        self.random.pick(&[
            "a",
            "b",
            "tools",
            "value",
            "été",
            "型",
            "console",
            "as",
            "type",
            "of",
            "satisfies",
            "abstract",
        ])
    }

    fn end(&mut self) {
        let end = self.random.pick(&[";", ";\n", "\n", "\n", ";\n\n", " // end\n"]);
        self.put(end);
    }

    fn list(&mut self, open: &str, close: &str, most: usize, mut item: impl FnMut(&mut Self)) {
        self.token(open);
        for index in 0..self.random.below(most + 1) {
            if index > 0 {
                self.token(",");
            }
            item(self);
        }
        self.put(close);
    }

    fn statement(&mut self, depth: usize) {
        let kind = if depth == 0 { self.random.below(8) } else { self.random.below(34) };
        match kind {
            0..=2 => self.variable(depth),
            3 | 4 => {
                self.starting_expression(depth);
                self.end();
            }
            5 => self.alias(depth),
            6 => self.interface(depth),
            7 => self.declared(depth),
            8..=10 => self.function(depth),
            11..=15 => self.class(depth),
            16 => self.control(depth),
            17 => self.block(depth),
            18 if self.random.one_in(8) => self.erased_body(depth),
            19 => {
                self.put("try ");
                self.block(depth - 1);
                let typed = self.random.pick(&["catch (e: unknown) ", "catch (e) ", "catch (e: any) ", "catch "]);
                self.put(typed);
                self.block(depth - 1);
                self.put("\n");
            }
            20 if self.random.one_in(4) => self.refused(),
            21 => {
                self.put("switch (a) { case ");
                self.expression(depth - 1);
                self.put(": ");
                self.statement(depth - 1);
                self.put("\ndefault: }\n");
            }
            22 | 23 => {
                // A statement without its semicolon, something that vanishes, and a token that would go on.
                self.put("let ");
                let name = self.name();
                self.put(&name);
                self.put(" = a\n");
                self.alias(depth - 1);
                self.starting_expression(depth);
                self.end();
            }
            24 => {
                let word = self.random.pick(&["return ", "throw "]);
                self.put("if (a) ");
                self.put(word);
                self.arrow(depth - 1);
                self.end();
            }
            _ => {
                self.expression(depth);
                self.end();
            }
        }
    }

    fn variable(&mut self, depth: usize) {
        let word = self.random.pick(&["let ", "const ", "var "]);
        self.put(word);
        let name = self.name();
        if word != "const " && self.random.one_in(6) {
            self.put(&name);
            self.token("!:");
            self.a_type(depth);
            self.end();
            return;
        }
        match self.random.below(5) {
            0 => {
                self.put("{ ");
                self.put(&name);
                self.put(" }");
            }
            1 => {
                self.put("[");
                self.put(&name);
                self.put("]");
            }
            _ => self.put(&name),
        }
        self.gap();
        if self.random.one_in(2) {
            self.annotation(depth);
        }
        self.token(" =");
        self.expression(depth);
        self.end();
    }

    fn annotation(&mut self, depth: usize) {
        self.token(":");
        self.a_type(depth.min(2));
        self.gap();
    }

    /// An expression statement that begins with a token that could continue the line before.
    fn starting_expression(&mut self, depth: usize) {
        match self.random.below(7) {
            0 => {
                self.put("(");
                self.expression(depth.saturating_sub(1));
                self.put(")");
            }
            1 => self.put("[a, b]"),
            2 => self.put("`t`"),
            3 => self.put("+a"),
            4 => self.put("-b"),
            5 => self.put("/re[(]/g.test(a)"),
            _ => self.put("`t${a as T}`"),
        }
    }

    fn alias(&mut self, depth: usize) {
        let name = self.name();
        let word = self.random.pick(&["type ", "type ", "declare type "]);
        self.put(word);
        self.put(&name);
        self.type_parameters(depth);
        self.put(" =");
        self.gap();
        if self.random.one_in(8) {
            self.put("| ");
        }
        self.a_type(depth);
        self.end();
    }

    fn interface(&mut self, depth: usize) {
        self.put("interface ");
        let name = self.name();
        self.put(&name);
        self.type_parameters(depth);
        if self.random.one_in(3) {
            self.put(" extends T, A<string>");
        }
        self.put(" ");
        self.object_type(depth);
        let end = self.random.pick(&["\n", ";\n", " "]);
        self.put(end);
    }

    fn declared(&mut self, depth: usize) {
        self.put("declare ");
        let name = self.name();
        match self.random.below(6) {
            0 => {
                self.put("const ");
                self.put(&name);
                self.annotation(depth);
            }
            1 => {
                self.put("function ");
                self.put(&name);
                self.parameters(depth, true);
                self.annotation(depth);
            }
            2 => {
                self.put("class ");
                self.put(&name);
                self.put(" { x: number; m(): void; static s?: string }");
            }
            3 => {
                self.put("enum ");
                self.put(&name);
                self.put(" { A, B = 2 }");
            }
            4 => {
                self.put("namespace ");
                self.put(&name);
                self.put(" { const x: number; function f(): void }");
            }
            _ => {
                self.put("let ");
                self.put(&name);
                self.annotation(depth);
            }
        }
        self.end();
    }

    fn refused(&mut self) {
        let name = self.name();
        match self.random.below(4) {
            0 => self.put(&format!("enum {name} {{ A }}\n")),
            1 => self.put(&format!("const enum {name} {{ A }}\n")),
            2 => self.put(&format!("class {name} {{ constructor(private readonly x: number) {{}} }}\n")),
            _ => self.put("a = <T>b\n"),
        }
    }

    fn erased_body(&mut self, depth: usize) {
        let head =
            self.random.pick(&["if (a) ", "while (a) ", "for (;;) ", "for (const i of a) ", "for (const k in b) "]);
        self.put(head);
        self.alias(depth - 1);
        if head == "if (a) " && self.random.one_in(2) {
            self.put("else ");
            self.interface(0);
        }
    }

    fn control(&mut self, depth: usize) {
        let head = self.random.pick(&[
            "if (a) ",
            "while (b as boolean) ",
            "for (let i: number = 0; i < 3; i++) ",
            "for (const k of a as string[]) ",
            "label1: for (;;) ",
        ]);
        let label = self.name();
        self.put(&head.replace("label1", &label));
        self.block(depth - 1);
        if head == "if (a) " && self.random.one_in(2) {
            self.put(" else ");
            self.block(depth - 1);
        }
        self.put("\n");
    }

    fn block(&mut self, depth: usize) {
        self.put("{ ");
        for _ in 0..self.random.below(3) {
            self.statement(depth.saturating_sub(1));
        }
        self.put("}");
    }
}
