//! Classes and their members.

use super::Writer;

impl Writer {
    pub(super) fn class(&mut self, depth: usize) {
        let is_abstract = self.random.one_in(3);
        if is_abstract {
            self.put("abstract ");
        }
        let name = self.name();
        self.put(&format!("class {name}"));
        self.class_tail(depth, is_abstract);
        self.put("\n");
    }

    pub(super) fn class_tail(&mut self, depth: usize, is_abstract: bool) {
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
    pub(super) fn member_word<'w>(&mut self, words: &[&'w str]) -> &'w str {
        let word = self.random.pick(words);
        if self.derived { word } else { word.trim_start_matches("override ") }
    }

    pub(super) fn member(&mut self, depth: usize, is_abstract: bool) {
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

    pub(super) fn method(&mut self, depth: usize, access: &str) {
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

    pub(super) fn field(&mut self, depth: usize, access: &str, separator: &str) {
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

    pub(super) fn key(&mut self) {
        let name = self.name();
        match self.random.below(7) {
            0 => self.put(&format!("[a.{name}]")),
            1 => self.put(&format!("\"{name}\"")),
            2 => self.put("in"),
            3 => self.put("public"),
            _ => self.put(&name),
        }
    }
}
