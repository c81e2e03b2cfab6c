//! The keys of `#[crossbar::task(..)]`, each with its span kept for errors.

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprArray, Ident, Lit, LitFloat, LitInt, LitStr, Path, Token};

/// What a user may write in the parentheses of `task`.
const KEYS: &str = "id, family, version, weight, timeout_s, max_steps, budget_tokens, \
                    max_tool_calls, forbid, crate";

/// The parsed keys.
#[derive(Default)]
pub(crate) struct TaskAttributes {
    pub(crate) id: Option<LitStr>,
    family: Option<LitStr>,
    version: Option<LitInt>,
    weight: Option<TokenStream>,
    timeout_s: Option<TokenStream>,
    max_steps: Option<LitInt>,
    budget_tokens: Option<LitInt>,
    max_tool_calls: Option<LitInt>,
    forbid: Vec<LitStr>,
    pub(crate) krate: Option<Path>,
}

impl Parse for TaskAttributes {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut found = Self::default();
        let mut seen: Vec<String> = Vec::new();
        while !input.is_empty() {
            let (name, span) = key(input)?;
            if seen.contains(&name) {
                return Err(syn::Error::new(span, format!("`{name}` is given twice")));
            }
            input.parse::<Token![=]>()?;
            found.take(&name, span, input)?;
            seen.push(name);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(found)
    }
}

fn key(input: ParseStream<'_>) -> syn::Result<(String, Span)> {
    if input.peek(Token![crate]) {
        let token: Token![crate] = input.parse()?;
        return Ok(("crate".to_owned(), token.span));
    }
    let ident: Ident = input.parse()?;
    Ok((ident.to_string(), ident.span()))
}

impl TaskAttributes {
    fn take(&mut self, name: &str, span: Span, input: ParseStream<'_>) -> syn::Result<()> {
        match name {
            "id" => self.id = Some(id(input)?),
            "family" => self.family = Some(input.parse()?),
            "version" => self.version = Some(integer(input)?),
            "weight" => self.weight = Some(positive_number(input)?),
            "timeout_s" => self.timeout_s = Some(positive_number(input)?),
            "max_steps" => self.max_steps = Some(integer(input)?),
            "budget_tokens" => self.budget_tokens = Some(integer(input)?),
            "max_tool_calls" => self.max_tool_calls = Some(integer(input)?),
            "forbid" => self.forbid = texts(input)?,
            "crate" => self.krate = Some(input.parse()?),
            other => {
                let message = format!("unknown key `{other}`; the keys are {KEYS}");
                return Err(syn::Error::new(span, message));
            }
        }
        Ok(())
    }

    /// The expression that builds the runtime's own attribute value.
    pub(crate) fn value(&self, krate: &Path) -> TokenStream {
        let id = option(self.id.as_ref());
        let family = option(self.family.as_ref());
        let version = self
            .version
            .as_ref()
            .map_or_else(|| quote!(1), |v| quote!(#v));
        let weight = self.weight.clone().unwrap_or_else(|| quote!(1.0));
        let timeout = option(self.timeout_s.as_ref());
        let steps = option(self.max_steps.as_ref());
        let tokens = option(self.budget_tokens.as_ref());
        let calls = option(self.max_tool_calls.as_ref());
        let forbid = &self.forbid;
        quote! {
            #krate::__private::TaskAttributes {
                id: #id,
                family: #family,
                version: #version,
                weight: #weight,
                timeout_s: #timeout,
                max_steps: #steps,
                budget_tokens: #tokens,
                max_tool_calls: #calls,
                forbid: &[#(#forbid),*],
            }
        }
    }
}

fn option<T: quote::ToTokens>(value: Option<&T>) -> TokenStream {
    value.map_or_else(
        || quote!(::core::option::Option::None),
        |value| quote!(::core::option::Option::Some(#value)),
    )
}

fn id(input: ParseStream<'_>) -> syn::Result<LitStr> {
    let text: LitStr = input.parse()?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if text.value().is_empty() || !text.value().chars().all(plain) {
        return Err(syn::Error::new(
            text.span(),
            "an id is made of A-Z a-z 0-9 _ . -",
        ));
    }
    Ok(text)
}

fn integer(input: ParseStream<'_>) -> syn::Result<LitInt> {
    let number: LitInt = input.parse()?;
    if number.base10_parse::<u64>()? == 0 {
        return Err(syn::Error::new(number.span(), "must be 1 or more"));
    }
    Ok(number)
}

fn positive_number(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    match input.parse::<Lit>()? {
        Lit::Int(number) if number.base10_parse::<u64>()? > 0 => float(&number),
        Lit::Float(number) if number.base10_parse::<f64>()? > 0.0 => Ok(quote!(#number)),
        other => Err(syn::Error::new(other.span(), "must be a number above 0")),
    }
}

fn float(number: &LitInt) -> syn::Result<TokenStream> {
    let float = LitFloat::new(
        &format!("{}.0", number.base10_parse::<u64>()?),
        number.span(),
    );
    Ok(quote!(#float))
}

fn texts(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let array: ExprArray = input.parse()?;
    let elements: Punctuated<Expr, Token![,]> = array.elems;
    elements
        .into_iter()
        .map(|element| match element {
            Expr::Lit(literal) => match literal.lit {
                Lit::Str(text) => Ok(text),
                other => Err(syn::Error::new(other.span(), "write \"server.tool\"")),
            },
            other => Err(syn::Error::new_spanned(other, "write \"server.tool\"")),
        })
        .collect()
}
