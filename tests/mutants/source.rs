//! Finds in a file's source what its mutants change.

use crate::Done;
use crate::listing::{Genre, Mutant};
use crate::render::{Arm, Node, Shape};
use proc_macro2::Span;
use quote::ToTokens;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The places of a file that its mutants change. A mutant whose place is not found has no node.
///
/// # Errors
///
/// The text is no Rust.
pub fn nodes(text: &str, mutants: &[&Mutant]) -> Done<Vec<Node>> {
    let file = syn::parse_file(text)?;
    let mut wanted: HashMap<_, Vec<&Mutant>> = HashMap::new();
    for mutant in mutants {
        wanted.entry(mutant.at).or_default().push(mutant);
    }
    let mut finder = Finder {
        wanted,
        nodes: bodies(text, mutants),
    };
    finder.visit_file(&file);
    Ok(finder.nodes)
}

/// A function's mutants return early, before its first statement.
fn bodies(text: &str, mutants: &[&Mutant]) -> Vec<Node> {
    let mut begins: HashMap<usize, Vec<Arm>> = HashMap::new();
    let values = mutants.iter().filter(|one| one.genre == Genre::FnValue);
    for mutant in values.filter(|one| !one.is_opaque) {
        let text_before = text.split_inclusive('\n').take(mutant.at.0 - 1);
        let line: usize = text_before.map(str::len).sum();
        let column = text[line..].chars().take(mutant.at.1 - 1);
        let start = line + column.map(char::len_utf8).sum::<usize>();
        begins.entry(start).or_default().push(Arm {
            id: mutant.id,
            text: mutant.replacement.clone(),
        });
    }
    let nodes = begins.into_iter().map(|(start, arms)| Node {
        range: start..start,
        shape: Shape::Return,
        arms,
    });
    nodes.collect()
}

struct Finder<'m> {
    wanted: HashMap<(usize, usize), Vec<&'m Mutant>>,
    nodes: Vec<Node>,
}

impl Finder<'_> {
    fn of(&self, place: Span, genre: Genre) -> Vec<&Mutant> {
        let start = place.start();
        let here = self.wanted.get(&(start.line, start.column + 1));
        let here = here.into_iter().flatten().copied();
        here.filter(|mutant| mutant.genre == genre).collect()
    }

    fn add(&mut self, range: Range<usize>, shape: Shape, arms: Vec<Arm>) {
        if !arms.is_empty() {
            self.nodes.push(Node { range, shape, arms });
        }
    }
}

fn flat(tokens: impl ToTokens) -> String {
    tokens.to_token_stream().to_string().replace('\n', " ")
}

/// A condition with a `let` is no expression that could stand in an arm, and `||` is no part of it.
fn holds_let(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => holds_let(&binary.left) || holds_let(&binary.right),
        _ => false,
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, node: &'ast syn::ExprBinary) {
        if !holds_let(&node.left) && !holds_let(&node.right) {
            let found = self.of(node.op.span(), Genre::Binary).into_iter();
            let (left, right) = (flat(&node.left), flat(&node.right));
            let arms = found.map(|mutant| Arm {
                id: mutant.id,
                text: format!("{left} {} {right}", mutant.replacement),
            });
            let arms = arms.collect();
            self.add(node.span().byte_range(), Shape::Match, arms);
        }
        visit::visit_expr_binary(self, node);
    }

    fn visit_expr_unary(&mut self, node: &'ast syn::ExprUnary) {
        let found = self.of(node.op.span(), Genre::Unary).into_iter();
        let arms = found.map(|mutant| Arm {
            id: mutant.id,
            text: flat(&node.expr),
        });
        let arms = arms.collect();
        self.add(node.span().byte_range(), Shape::Match, arms);
        visit::visit_expr_unary(self, node);
    }

    fn visit_arm(&mut self, node: &'ast syn::Arm) {
        let gone = self.of(node.span(), Genre::Arm).into_iter();
        let gone = gone.map(|mutant| Arm {
            id: mutant.id,
            text: "false".to_owned(),
        });
        let mut gone: Vec<Arm> = gone.collect();
        if let syn::Pat::Guard(syn::PatGuard { guard, .. }) = &node.pat {
            let constant = self.of(guard.span(), Genre::Guard).into_iter();
            gone.extend(constant.map(|mutant| Arm {
                id: mutant.id,
                text: mutant.replacement.clone(),
            }));
            self.add(guard.span().byte_range(), Shape::Guard, gone);
        } else {
            let end = node.pat.span().byte_range().end;
            self.add(end..end, Shape::NewGuard, gone);
        }
        visit::visit_arm(self, node);
    }

    fn visit_expr_struct(&mut self, node: &'ast syn::ExprStruct) {
        let mut arms = Vec::new();
        for (at, field) in node.fields.iter().enumerate() {
            for mutant in self.of(field.span(), Genre::Field) {
                let mut rest = node.clone();
                let kept = node.fields.iter().enumerate();
                let kept = kept.filter(|(one, _)| *one != at);
                rest.fields = kept.map(|(_, field)| field.clone()).collect();
                if !rest.fields.empty_or_trailing() {
                    rest.fields.push_punct(syn::token::Comma::default());
                }
                arms.push(Arm {
                    id: mutant.id,
                    text: flat(&rest),
                });
            }
        }
        self.add(node.span().byte_range(), Shape::Guard, arms);
        visit::visit_expr_struct(self, node);
    }
}
