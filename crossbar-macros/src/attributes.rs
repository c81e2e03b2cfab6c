//! The keys of `#[crossbar::task(..)]`, each with its span kept for errors.

use crate::cases::Cases;
use crate::nearest::closest;
use crate::value;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Error, Expr, Ident, LitFloat, LitInt, LitStr, Path, Token, parse_quote};

/// What a user may write in the parentheses of `task`, in the order in which messages list it. A
/// name that task files have too means the same there, within the same bounds.
const KEYS: &[&str] = &[
    "id",
    "name",
    "family",
    "tags",
    "weight",
    "version",
    "min_pass_rate",
    "timeout_s",
    "max_steps",
    "budget_tokens",
    "max_tool_calls",
    "forbid",
    "on_blocked",
    "cases",
    "crate",
];

/// The parsed keys.
#[derive(Default)]
pub(crate) struct TaskAttributes {
    id: Option<LitStr>,
    name: Option<LitStr>,
    family: Option<LitStr>,
    tags: Vec<LitStr>,
    version: Option<LitInt>,
    weight: Option<LitFloat>,
    min_pass_rate: Option<LitFloat>,
    timeout_s: Option<LitFloat>,
    max_steps: Option<LitInt>,
    budget_tokens: Option<LitInt>,
    max_tool_calls: Option<LitInt>,
    forbid: Vec<LitStr>,
    records_blocked: bool,
    pub(crate) cases: Option<Cases>,
    krate: Option<Path>,
}

impl Parse for TaskAttributes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut found = Self::default();
        let mut seen: Vec<String> = Vec::new();
        while !input.is_empty() {
            let (name, span) = key(input)?;
            if !KEYS.contains(&name.as_str()) {
                return Err(unknown(&name, span));
            }
            if seen.contains(&name) {
                let message = format!("`{name}` is given twice\nhelp: leave one of them out");
                return Err(Error::new(span, message));
            }
            found.take(&name, given(&name, span, input)?)?;
            seen.push(name);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(found)
    }
}

fn key(input: ParseStream<'_>) -> syn::Result<(String, Span)> {
    let ident = input.call(Ident::parse_any)?;
    Ok((ident.to_string(), ident.span()))
}

/// The value after `name =`.
fn given(name: &str, span: Span, input: ParseStream<'_>) -> syn::Result<Expr> {
    if !input.peek(Token![=]) {
        let message = format!("`{name}` has no value\nhelp: write `{name} = ..`");
        return Err(Error::new(span, message));
    }
    input.parse::<Token![=]>()?;
    input.parse()
}

fn unknown(name: &str, span: Span) -> Error {
    let keys = KEYS.join(", ");
    let meant = closest(name, KEYS).map_or_else(
        || format!("the keys are {keys}"),
        |near| format!("did you mean `{near}`? The keys are {keys}"),
    );
    Error::new(span, format!("unknown key `{name}`\nhelp: {meant}"))
}

impl TaskAttributes {
    fn take(&mut self, name: &str, given: Expr) -> syn::Result<()> {
        match name {
            "id" => self.id = Some(value::id(name, &given)?),
            "name" => self.name = Some(value::filled(name, &given)?),
            "family" => self.family = Some(value::filled(name, &given)?),
            "tags" => self.tags = value::texts(name, &given)?,
            "version" => self.version = Some(value::integer(name, &given, 1..=u32::MAX.into())?),
            "weight" => self.weight = Some(value::number(name, &given, 0.000_001..=1_000_000.0)?),
            "min_pass_rate" => self.min_pass_rate = Some(value::number(name, &given, 0.01..=1.0)?),
            "timeout_s" => self.timeout_s = Some(value::number(name, &given, 0.1..=86_400.0)?),
            "max_steps" => self.max_steps = Some(value::integer(name, &given, 1..=10_000)?),
            "budget_tokens" => {
                self.budget_tokens = Some(value::integer(name, &given, 1..=1_000_000_000_000)?);
            }
            "max_tool_calls" => {
                self.max_tool_calls = Some(value::integer(name, &given, 0..=1_000_000)?);
            }
            "forbid" => self.forbid = value::tools(name, &given)?,
            "on_blocked" => {
                self.records_blocked = value::word(name, &given, &["zero", "record"])? == "record";
            }
            "cases" => self.cases = Some(Cases::new(given)?),
            _ => self.krate = Some(value::path(name, given)?),
        }
        Ok(())
    }

    /// The path to the library: `::crossbar` unless the user renamed it.
    pub(crate) fn krate(&self) -> Path {
        let renamed = self.krate.clone();
        renamed.unwrap_or_else(|| parse_quote!(::crossbar))
    }

    /// The `id` key as an expression of the type `Option<&'static str>`.
    pub(crate) fn id(&self) -> TokenStream {
        option(self.id.as_ref())
    }

    /// The expression that builds the runtime's own attribute value.
    pub(crate) fn value(&self, krate: &Path) -> TokenStream {
        let [id, name, family] = [&self.id, &self.name, &self.family].map(|v| option(v.as_ref()));
        let version = or(self.version.as_ref(), quote!(1));
        let weight = or(self.weight.as_ref(), quote!(1.0));
        let floor = option(self.min_pass_rate.as_ref());
        let timeout = option(self.timeout_s.as_ref());
        let [steps, tokens, calls] = [&self.max_steps, &self.budget_tokens, &self.max_tool_calls]
            .map(|v| option(v.as_ref()));
        let (tags, forbid, records) = (&self.tags, &self.forbid, self.records_blocked);
        quote! {
            #krate::__private::TaskAttributes {
                id: #id,
                name: #name,
                family: #family,
                tags: &[#(#tags),*],
                version: #version,
                weight: #weight,
                min_pass_rate: #floor,
                timeout_s: #timeout,
                max_steps: #steps,
                budget_tokens: #tokens,
                max_tool_calls: #calls,
                forbid: &[#(#forbid),*],
                records_blocked: #records,
            }
        }
    }
}

fn or<T: ToTokens>(value: Option<&T>, otherwise: TokenStream) -> TokenStream {
    value.map_or(otherwise, ToTokens::to_token_stream)
}

fn option<T: ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}
