//! What stands in the key's place.

use super::GatewayError;
use std::fmt::Write;

/// 128 bits that nobody can guess, after a word that says whose they are.
pub(super) fn token() -> Result<String, GatewayError> {
    let mut bytes = [0_u8; 16];
    let provider = rustls::crypto::ring::default_provider();
    provider
        .secure_random
        .fill(&mut bytes)
        .map_err(|_| GatewayError("the system gives no random bytes".to_owned()))?;
    let mut text = "crossbar-".to_owned();
    for byte in bytes {
        // A String takes whatever is written to it.
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_another_one() {
        let (one, two) = (token().unwrap(), token().unwrap());
        assert_ne!(one, two);
        assert_eq!((one.len(), two.len()), (41, 41));
    }
}
