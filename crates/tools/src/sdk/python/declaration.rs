//! Declared types as text.

use super::names::is_attribute;
use super::quote::{docstring, joined, lines, literal};
use super::ty::{Decl, DeclKind, Member, TyId, Types};
use super::write::{Imports, Name, Writer};

/// How long a line may be for a comment to stand at its end.
const MAX_LINE: usize = 110;

/// Declares all that types are made of.
pub(super) fn declare(out: &mut String, types: &Types, roots: &[TyId], imports: &mut Imports) {
    let mut names = vec![Name::Later; types.decls.len()];
    for id in types.in_order(roots) {
        let Some(decl) = types.decl(id) else { continue };
        match &decl.kind {
            DeclKind::Class(members) if members.iter().all(|member| is_attribute(&member.name)) => {
                class(out, types, decl, members, imports);
            }
            DeclKind::Class(members) => function(out, types, decl, members, &names, imports),
            DeclKind::Alias(body) => {
                let mut said = lines(&decl.doc);
                said.extend(types.said(*body));
                alias(out, types, decl, *body, &said, &names, imports);
            }
            DeclKind::Mixed(body) => {
                alias(out, types, decl, *body, &lines(&decl.doc), &names, imports);
            }
        }
        let is = match &decl.kind {
            DeclKind::Class(_) => Name::Type,
            DeclKind::Alias(body) | DeclKind::Mixed(body) => {
                match (Writer { types, names: Some(&names) }).name(*body) {
                    Name::Later | Name::Quotation => Name::Quotation,
                    Name::Type => Name::Type,
                }
            }
        };
        if let Some(name) = names.get_mut(id.0) {
            *name = is;
        }
    }
}

/// The form that is read best. Its annotations are never evaluated, so that it may name what comes later.
fn class(out: &mut String, types: &Types, decl: &Decl, members: &[Member], imports: &mut Imports) {
    imports.insert("TypedDict");
    let optional = !members.is_empty() && members.iter().all(|member| !member.required);
    out.push_str(&format!("class {}(TypedDict{}):\n", decl.name, if optional { ", total=False" } else { "" }));
    let doc = lines(&decl.doc);
    docstring(out, &doc, "    ");
    if members.is_empty() && doc.is_empty() {
        out.push_str("    pass\n");
    }
    let writer = Writer { types, names: None };
    for member in members {
        let mut line = format!("    {}: ", member.name);
        value(&mut line, &writer, member, optional, imports);
        commented(out, &line, &types.said(member.ty), "    ");
    }
    out.push('\n');
}

/// The form that takes any name. What it is made of is evaluated.
fn function(out: &mut String, types: &Types, decl: &Decl, members: &[Member], names: &[Name], imports: &mut Imports) {
    imports.insert("TypedDict");
    for line in lines(&decl.doc) {
        comment(out, &line, "");
    }
    out.push_str(&format!("{} = TypedDict(\"{}\", {{\n", decl.name, decl.name));
    let optional = members.iter().all(|member| !member.required);
    let writer = Writer { types, names: Some(names) };
    for member in members {
        let mut line = "    ".to_owned();
        literal(&mut line, &member.name);
        line.push_str(": ");
        value(&mut line, &writer, member, optional, imports);
        line.push(',');
        commented(out, &line, &types.said(member.ty), "    ");
    }
    out.push_str(if optional { "}, total=False)\n\n" } else { "})\n\n" });
}

fn value(out: &mut String, writer: &Writer<'_>, member: &Member, optional: bool, imports: &mut Imports) {
    let marked = !member.required && !optional;
    if marked {
        imports.insert("NotRequired");
        out.push_str("NotRequired[");
    }
    writer.ty(out, member.ty, imports);
    if marked {
        out.push(']');
    }
}

fn alias(
    out: &mut String,
    types: &Types,
    decl: &Decl,
    body: TyId,
    said: &[String],
    names: &[Name],
    imports: &mut Imports,
) {
    imports.insert("TypeAlias");
    let mut line = format!("{}: TypeAlias = ", decl.name);
    Writer { types, names: Some(names) }.ty(&mut line, body, imports);
    commented(out, &line, said, "");
    out.push('\n');
}

/// A line of the text with its comment: at its end when there is room, above it otherwise.
fn commented(out: &mut String, line: &str, said: &[String], indent: &str) {
    let short = joined(said);
    if short.is_empty() {
        out.push_str(line);
        out.push('\n');
    } else if line.len() + short.len() + 4 <= MAX_LINE {
        out.push_str(&format!("{line}  # {short}\n"));
    } else {
        if said.len() > 1 && said.iter().all(|line| line.len() < MAX_LINE) && short.len() > MAX_LINE {
            said.iter().for_each(|line| comment(out, line, indent));
        } else {
            comment(out, &short, indent);
        }
        out.push_str(line);
        out.push('\n');
    }
}

fn comment(out: &mut String, line: &str, indent: &str) {
    out.push_str(indent);
    out.push_str(if line.is_empty() { "#" } else { "# " });
    out.push_str(line);
    out.push('\n');
}
