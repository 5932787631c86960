//! Arrays, position by position.

use super::super::super::shape::{Kind, ShapeId, Shapes};
use super::{Meeting, TOO_MUCH};

impl Meeting {
    pub(super) fn arrays(&mut self, shapes: &mut Shapes, all: &[ShapeId]) -> (Kind, Option<&'static str>) {
        let parts: Vec<(Vec<ShapeId>, usize, Option<ShapeId>)> = all
            .iter()
            .filter_map(|&id| match &shapes.get(id).kind {
                Kind::Array(each) => Some((Vec::new(), 0, Some(*each))),
                Kind::Tuple { prefix, required, rest } => Some((prefix.clone(), *required, *rest)),
                Kind::Any
                | Kind::Never
                | Kind::Null
                | Kind::Boolean
                | Kind::Integer
                | Kind::Number
                | Kind::String
                | Kind::Literal(_)
                | Kind::Object(_)
                | Kind::Union(_)
                | Kind::Intersection(_)
                | Kind::Named(_) => None,
            })
            .collect();
        let longest = parts.iter().map(|(prefix, ..)| prefix.len()).max().unwrap_or(0);
        if !self.charge(longest.saturating_mul(parts.len())) {
            return (Kind::Intersection(all.to_vec()), Some(TOO_MUCH));
        }
        let ends = parts.iter().filter(|(.., rest)| rest.is_none()).map(|(prefix, ..)| prefix.len()).min();
        let length = ends.map_or(longest, |end| end.min(longest));
        let required = parts.iter().map(|&(_, required, _)| required).max().unwrap_or(0);
        if required > length && ends.is_some() {
            return (Kind::Never, None);
        }
        let mut lost = None;
        let prefix: Vec<ShapeId> = (0..length)
            .map(|at| {
                let found = parts.iter().filter_map(|(prefix, _, rest)| prefix.get(at).copied().or(*rest)).collect();
                self.field(shapes, found, &mut lost)
            })
            .collect();
        let rest = match ends {
            Some(_) => None,
            None => {
                let found = parts.iter().filter_map(|&(.., rest)| rest).collect();
                Some(self.field(shapes, found, &mut lost))
            }
        };
        match (prefix.as_slice(), rest) {
            ([], Some(each)) => (Kind::Array(each), lost),
            _ => (Kind::Tuple { prefix, required, rest }, lost),
        }
    }
}
