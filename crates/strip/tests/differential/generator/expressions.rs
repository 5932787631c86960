//! Expressions.

use super::Writer;

impl Writer {
    pub(super) fn expression(&mut self, depth: usize) {
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

    pub(super) fn operand(&mut self, depth: usize) {
        if self.random.one_in(3) {
            self.put("(");
            self.expression(depth - 1);
            self.put(")");
        } else {
            let operand = self.random.pick(&["a", "b.c", "f(1)", "tools.x", "x[0]", "été", "as", "\"s\"", "3", "b!"]);
            self.put(operand);
        }
    }

    pub(super) fn object(&mut self, depth: usize) {
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
}
