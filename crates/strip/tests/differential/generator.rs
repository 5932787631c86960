//! Writes TypeScript programs from a grammar: the same program for the same seed, on every machine.
//!
//! Names are unique within a program where JavaScript wants them unique, so that what is refused is refused for its
//! syntax. Spaces, comments and line ends are strewn between tokens, line ends at places where they matter too.

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

    fn function(&mut self, depth: usize) {
        let name = self.name();
        if self.random.one_in(4) {
            for _ in 0..1 + self.random.below(2) {
                self.put(&format!("function {name}"));
                self.parameters(depth, true);
                self.annotation(depth);
                self.end();
            }
        }
        let head = self.random.pick(&["function ", "async function ", "function* "]);
        self.put(head);
        self.put(&name);
        self.type_parameters(depth);
        self.parameters(depth, false);
        self.result(depth);
        self.body(depth, head);
        self.put("\n");
    }

    fn body(&mut self, depth: usize, head: &str) {
        let outer = (self.in_generator, self.in_async);
        (self.in_generator, self.in_async) = (head.contains('*'), head.contains("async"));
        self.block(depth);
        (self.in_generator, self.in_async) = outer;
    }

    fn result(&mut self, depth: usize) {
        match self.random.below(6) {
            0 => self.token(": x is string"),
            1 => self.token(": asserts x"),
            2 => self.token(": asserts x is T"),
            3 | 4 => self.annotation(depth),
            _ => self.gap(),
        }
    }

    fn parameters(&mut self, depth: usize, signature: bool) {
        self.token("(");
        let mut first = true;
        if self.random.one_in(6) {
            self.token("this: T");
            first = false;
        }
        let mut optional = false;
        for _ in 0..self.random.below(3) {
            if !std::mem::take(&mut first) {
                self.token(",");
            }
            self.parameter(depth, signature, &mut optional);
        }
        if self.random.one_in(6) {
            if !first {
                self.token(",");
            }
            let name = self.name();
            self.put(&format!("...{name}"));
            self.annotation(depth);
        } else if !first && self.random.one_in(8) {
            self.put(",");
        }
        self.put(")");
    }

    fn parameter(&mut self, depth: usize, signature: bool, optional: &mut bool) {
        let name = self.name();
        match self.random.below(8) {
            0 if !*optional => self.put(&format!("{{ {name} }}")),
            1 if !*optional => self.put(&format!("[{name}]")),
            _ => {
                self.put(&name);
                if *optional || self.random.one_in(4) {
                    *optional = true;
                    self.gap();
                    self.put("?");
                }
                self.gap();
                if self.random.one_in(4) {
                    return;
                }
                self.annotation(depth);
                return;
            }
        }
        if self.random.one_in(2) {
            self.annotation(depth);
        }
        if !signature {
            self.token(" =");
            self.expression(0);
        }
    }

    fn type_parameters(&mut self, depth: usize) {
        if !self.random.one_in(3) {
            return;
        }
        self.token("<");
        for index in 0..1 + self.random.below(2) {
            if index > 0 {
                self.token(",");
            }
            self.token(["T", "U"][index]);
            if self.random.one_in(3) {
                self.put(" extends ");
                self.a_type(depth.min(1));
            }
            if self.random.one_in(5) {
                self.put(" = ");
                self.a_type(0);
            }
        }
        self.put(">");
    }

    fn class(&mut self, depth: usize) {
        let is_abstract = self.random.one_in(3);
        if is_abstract {
            self.put("abstract ");
        }
        let name = self.name();
        self.put(&format!("class {name}"));
        self.class_tail(depth, is_abstract);
        self.put("\n");
    }

    fn class_tail(&mut self, depth: usize, is_abstract: bool) {
        self.type_parameters(depth);
        let outer = std::mem::replace(&mut self.derived, self.random.one_in(4));
        if self.derived {
            let base = self.random.pick(&[" extends A", " extends A<T>", " extends (a as any)", " extends A<T[]>"]);
            self.put(base);
        }
        if self.random.one_in(4) {
            let interfaces = self.random.pick(&[" implements I", " implements I<T>, J.K", "\n implements\n I"]);
            self.put(interfaces);
        }
        self.token(" {");
        for _ in 0..self.random.below(5) {
            self.member(depth.saturating_sub(1), is_abstract);
        }
        self.put("}");
        self.derived = outer;
    }

    /// A word before a member; `override` belongs into a class that extends another.
    fn member_word<'w>(&mut self, words: &[&'w str]) -> &'w str {
        let word = self.random.pick(words);
        if self.derived { word } else { word.trim_start_matches("override ") }
    }

    fn member(&mut self, depth: usize, is_abstract: bool) {
        let separator = self.random.pick(&[";", ";", "\n", ";\n"]);
        let access = self.random.pick(&["", "", "", "public ", "private ", "protected ", "private\t"]);
        match self.random.below(14) {
            0 if is_abstract => {
                let name = self.name();
                self.put(&format!(
                    "{}abstract {name}",
                    if access == "private " { "" } else { access.trim_start_matches("private\t") }
                ));
                self.parameters(0, true);
                self.annotation(0);
                self.put(separator);
            }
            1 if is_abstract => {
                let name = self.name();
                self.put(&format!("abstract readonly {name}: T"));
                self.put(separator);
            }
            2 => {
                let key = self.random.pick(&["[key: string]: any", "readonly [k: number]: T", "static [k: string]: T"]);
                self.put(key);
                self.put(separator);
            }
            3 => {
                let name = self.name();
                let word = self.random.pick(&["", "readonly "]);
                self.put(&format!("declare {word}{name}: "));
                self.a_type(depth);
                self.put(separator);
            }
            4 => {
                let name = self.name();
                self.put(&format!("{access}{name}"));
                self.parameters(0, true);
                self.put(separator);
                self.put(&format!("{access}{name}"));
                self.parameters(0, false);
                self.body(depth, "");
                self.put("\n");
            }
            5..=8 => self.method(depth, access),
            9 => {
                self.put("static { this.x = a as T }\n");
            }
            10 => {
                let name = self.name();
                self.put(&format!("{access}get {name}()"));
                self.annotation(depth);
                self.put("{ return a }\n");
                self.put(&format!("{access}set {name}(v"));
                self.annotation(depth);
                self.put(") { }\n");
            }
            11 => {
                let name = self.name();
                let word = self.random.pick(&["", "readonly ", "static "]);
                self.put(&format!("{word}#{name}"));
                if self.random.one_in(2) {
                    self.annotation(depth);
                }
                self.put(" = ");
                self.expression(0);
                self.put(";");
            }
            12 => {
                let bare =
                    self.random.pick(&["get: number", "set: T", "static: T", "get: T = 1", "async: T", "readonly: T"]);
                self.put(bare);
                self.put(separator);
            }
            _ => self.field(depth, access, separator),
        }
    }

    fn method(&mut self, depth: usize, access: &str) {
        self.put(access);
        let word = self.member_word(&["", "", "static ", "async ", "*", "override ", "async *", "static async "]);
        self.put(word);
        self.key();
        if !word.contains('*') && self.random.one_in(8) {
            self.put("?");
        }
        self.type_parameters(depth);
        self.parameters(depth, false);
        self.result(depth);
        self.body(depth, word);
        self.put("\n");
    }

    fn field(&mut self, depth: usize, access: &str, separator: &str) {
        self.put(access);
        let word =
            self.member_word(&["", "", "static ", "readonly ", "static readonly ", "override ", "override readonly "]);
        self.put(word);
        self.key();
        let mark = self.random.pick(&["", "", "", "?", "!"]);
        let mark = if word.contains("static") { mark.trim_end_matches('!') } else { mark };
        self.put(mark);
        self.gap();
        if mark == "!" || self.random.one_in(2) {
            self.annotation(depth);
        }
        if mark != "!" && self.random.one_in(2) {
            self.token(" =");
            let outer = (self.in_generator, self.in_async);
            (self.in_generator, self.in_async) = (false, false);
            self.expression(depth);
            (self.in_generator, self.in_async) = outer;
        }
        self.put(separator);
    }

    fn key(&mut self) {
        let name = self.name();
        match self.random.below(7) {
            0 => self.put(&format!("[a.{name}]")),
            1 => self.put(&format!("\"{name}\"")),
            2 => self.put("in"),
            3 => self.put("public"),
            _ => self.put(&name),
        }
    }

    fn arrow(&mut self, depth: usize) {
        let word = self.random.pick(&["", "", "", "async ", "async "]);
        self.put(word);
        self.type_parameters(depth);
        self.token("(");
        let mut optional = false;
        for index in 0..self.random.below(3) {
            if index > 0 {
                self.token(",");
            }
            self.parameter(depth, false, &mut optional);
        }
        self.put(")");
        if self.random.one_in(3) {
            let broken = self.random.one_in(4);
            self.put(if broken { "\n: " } else { ": " });
            self.a_type(depth.min(1));
        }
        self.put(" => ");
        if self.random.one_in(3) {
            self.body(depth, word);
        } else if self.random.one_in(5) {
            self.put("({ a: 1 } as T)");
        } else {
            let outer = (self.in_generator, self.in_async);
            (self.in_generator, self.in_async) = (false, word == "async ");
            self.expression(depth.saturating_sub(1));
            (self.in_generator, self.in_async) = outer;
        }
    }

    fn expression(&mut self, depth: usize) {
        let kind = if depth == 0 { self.random.below(9) } else { self.random.below(38) };
        match kind {
            0..=4 => {
                let name = self.reference();
                self.put(name);
            }
            5 | 6 => {
                let literal = self.random.pick(&[
                    "1",
                    "0x1f",
                    "\"s;\"",
                    "'(\\''",
                    "true",
                    "null",
                    "2n",
                    "1.5e3",
                    "`t`",
                    "/[/]re\\//u",
                ]);
                self.put(literal);
            }
            7 => self.put("tools.search"),
            8 => self.put("this"),
            9..=12 => {
                self.operand(depth);
                let assertion = self.random.pick(&[" as ", " as ", " satisfies ", "\nas "]);
                let broken = self.random.one_in(12);
                self.put(if broken { assertion } else { assertion.trim_start_matches('\n') });
                if assertion == " as " && self.random.one_in(4) {
                    self.put("const");
                } else {
                    self.a_type(depth - 1);
                }
            }
            13 => {
                self.operand(depth);
                self.put("!");
                let more = self.random.pick(&["", ".x", "[0]", "()", "!"]);
                self.put(more);
            }
            14 | 15 => self.arrow(depth),
            16 => {
                self.put("(");
                self.arrow(depth);
                self.put(")");
            }
            17 | 18 => {
                self.operand(depth);
                if self.random.one_in(3) {
                    self.token("<");
                    self.a_type(depth - 1);
                    self.put(">");
                }
                let optional = self.random.pick(&["", "", "", "?."]);
                if optional.is_empty() {
                    self.gap();
                }
                self.list("(", ")", 2, |writer| writer.expression(depth - 1));
            }
            19 => {
                self.put("new ");
                let callee = self.random.pick(&["A", "A.B", "A<T>", "Map<string, T[]>", "(a as any)"]);
                self.put(callee);
                self.list("(", ")", 2, |writer| writer.expression(depth - 1));
            }
            20 => {
                self.operand(depth);
                let member = self.random.pick(&[".x", "?.x", "[0]", "?.[1]", "[\"k\"]"]);
                self.put(member);
            }
            21 | 22 => {
                self.operand(depth);
                let operator = self.random.pick(&[
                    " + ",
                    " - ",
                    " * ",
                    " / ",
                    " && ",
                    " || ",
                    " === ",
                    " < ",
                    " > ",
                    " in ",
                    " instanceof ",
                    "\n+ ",
                    " | ",
                    " << ",
                ]);
                self.put(operator);
                self.operand(depth);
            }
            23 => {
                self.operand(depth);
                self.token(" ?");
                self.expression(depth - 1);
                self.token(" :");
                self.expression(depth - 1);
            }
            24 => {
                let operator = self.random.pick(&["!", "-", "typeof ", "void ", "~", "await ", "await "]);
                self.put(if self.in_async { operator } else { operator.trim_start_matches("await ") });
                self.operand(depth);
            }
            25 => self.list("[", "]", 3, |writer| writer.expression(depth - 1)),
            26 | 27 => self.object(depth - 1),
            28 => {
                self.put("`a${");
                self.expression(depth - 1);
                self.put("}b`");
            }
            29 => {
                self.put("(");
                self.expression(depth - 1);
                self.put(")");
            }
            30 => {
                let head = self.random.pick(&["function ", "async function ", "function* "]);
                self.put("(");
                self.put(head);
                self.type_parameters(depth);
                self.parameters(depth - 1, false);
                self.result(depth - 1);
                self.body(depth - 1, head);
                self.put(")");
            }
            31 => {
                self.put("(class ");
                self.class_tail(depth - 1, false);
                self.put(")");
            }
            32 => {
                let target = self.random.pick(&["a", "a.x", "(a as any)", "a!", "(a!).b", "(b satisfies T).c"]);
                self.put(target);
                let operator = self.random.pick(&[" = ", " += ", " ??= "]);
                self.put(operator);
                self.expression(depth - 1);
            }
            33 => self.put("(a<T>)"),
            34 => self.put("tag<T>`x${b as T}`"),
            35 if self.in_generator => {
                self.put("yield ");
                self.arrow(depth - 1);
            }
            _ => self.operand(depth),
        }
    }

    fn operand(&mut self, depth: usize) {
        if self.random.one_in(3) {
            self.put("(");
            self.expression(depth - 1);
            self.put(")");
        } else {
            let operand = self.random.pick(&["a", "b.c", "f(1)", "tools.x", "x[0]", "été", "as", "\"s\"", "3", "b!"]);
            self.put(operand);
        }
    }

    fn object(&mut self, depth: usize) {
        let mut property = 0;
        self.put("(");
        self.list("{", "}", 3, |writer| {
            property += 1;
            match writer.random.below(6) {
                0 => writer.put("a"),
                1 => {
                    writer.put(&format!("m{property}"));
                    writer.type_parameters(depth);
                    writer.parameters(depth, false);
                    writer.result(depth);
                    writer.body(depth, "");
                }
                2 => {
                    writer.put(&format!("get g{property}()"));
                    writer.annotation(depth);
                    writer.put("{ return 1 }");
                }
                3 => {
                    writer.put("...");
                    writer.expression(0);
                }
                _ => {
                    writer.put(&format!("p{property}: "));
                    writer.expression(depth);
                }
            }
        });
        self.put(")");
    }

    fn a_type(&mut self, depth: usize) {
        let kind = if depth == 0 { self.random.below(8) } else { self.random.below(26) };
        match kind {
            0..=3 => {
                let name =
                    self.random.pick(&["string", "number", "T", "any", "unknown", "void", "A.B", "été", "型", "never"]);
                self.put(name);
            }
            4 | 5 => {
                let literal = self.random.pick(&["\"a\"", "1", "-1", "true", "null", "`t`", "undefined", "this"]);
                self.put(literal);
            }
            6 => self.put("typeof a.b"),
            7 => self.put("keyof T"),
            8 | 9 => {
                self.put("A<");
                self.a_type(depth - 1);
                self.put(">");
            }
            10 | 11 => {
                self.a_type(depth - 1);
                self.token(" |");
                self.a_type(depth - 1);
            }
            12 => {
                self.put("(");
                self.a_type(depth - 1);
                self.put(")[]");
            }
            13 => self.list("[", "]", 3, |writer| writer.a_type(depth - 1)),
            14 | 15 => {
                let word = self.random.pick(&["", "", "new ", "abstract new "]);
                self.put("(");
                self.put(word);
                self.type_parameters(0);
                if word.is_empty() {
                    self.parameters(depth - 1, true);
                } else {
                    self.put("(x: T)");
                }
                self.token(" =>");
                self.a_type(depth - 1);
                self.put(")");
            }
            16 | 17 => self.object_type(depth - 1),
            18 => {
                self.put("(T extends ");
                self.a_type(0);
                self.token(" ?");
                self.a_type(depth - 1);
                self.token(" :");
                self.a_type(depth - 1);
                self.put(")");
            }
            19 => self.put("(T extends A<infer U extends string> ? U : never)"),
            20 => self.put("{ readonly [K in keyof T]?: T[K] }"),
            21 => self.put("{ -readonly [K in T as `x${K}`]-?: T[K] }"),
            22 => self.put("import(\"m\").A<T>"),
            23 => self.put("T[\"k\"][number]"),
            24 => self.put("typeof a<string>"),
            _ => self.put("readonly T[]"),
        }
    }

    fn object_type(&mut self, depth: usize) {
        self.token("{");
        for _ in 0..self.random.below(4) {
            let name = self.name();
            match self.random.below(6) {
                0 => self.put("[k: string]: any"),
                1 => {
                    self.put(&name);
                    self.parameters(depth.min(1), true);
                    self.annotation(depth);
                }
                2 => {
                    self.parameters(0, true);
                    self.annotation(depth);
                }
                _ => {
                    let word = self.random.pick(&["", "readonly "]);
                    self.put(word);
                    self.put(&name);
                    let mark = self.random.pick(&["", "?"]);
                    self.put(mark);
                    self.annotation(depth.min(2).saturating_sub(1));
                }
            }
            let separator = self.random.pick(&[";", ",", "\n", ";\n"]);
            self.put(separator);
        }
        self.put("}");
    }
}
