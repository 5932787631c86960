//! Functions, their parameters and their results.

use super::Writer;

impl Writer {
    pub(super) fn function(&mut self, depth: usize) {
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

    pub(super) fn body(&mut self, depth: usize, head: &str) {
        let outer = (self.in_generator, self.in_async);
        (self.in_generator, self.in_async) = (head.contains('*'), head.contains("async"));
        self.block(depth);
        (self.in_generator, self.in_async) = outer;
    }

    pub(super) fn result(&mut self, depth: usize) {
        match self.random.below(6) {
            0 => self.token(": x is string"),
            1 => self.token(": asserts x"),
            2 => self.token(": asserts x is T"),
            3 | 4 => self.annotation(depth),
            _ => self.gap(),
        }
    }

    pub(super) fn parameters(&mut self, depth: usize, signature: bool) {
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

    pub(super) fn parameter(&mut self, depth: usize, signature: bool, optional: &mut bool) {
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

    pub(super) fn type_parameters(&mut self, depth: usize) {
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

    pub(super) fn arrow(&mut self, depth: usize) {
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
}
