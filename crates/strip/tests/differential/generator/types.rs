//! Types.

use super::Writer;

impl Writer {
    pub(super) fn a_type(&mut self, depth: usize) {
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

    pub(super) fn object_type(&mut self, depth: usize) {
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
