//! "did you mean": the nearest of some words.

/// The candidate that begins `word`, else the one that the fewest edits lead to; none where that
/// takes more than one edit for each three characters.
pub(crate) fn closest<'c>(word: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let begins = candidates.iter().find(|one| word.starts_with(**one));
    let near = || {
        candidates
            .iter()
            .map(|one| (edits(word, one), one))
            .filter(|(distance, one)| *distance <= (word.len().max(one.len()) / 3).max(1))
            .min_by_key(|(distance, _)| *distance)
            .map(|(_, one)| one)
    };
    begins.or_else(near).copied()
}

/// Edit distance: characters added, dropped or replaced.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let replace = above[j] + usize::from(x != *y);
            row.push(replace.min(above[j + 1] + 1).min(row[j] + 1));
        }
        above = row;
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_seen_and_another_word_is_not() {
        let keys = ["family", "forbid", "max_steps"];
        assert_eq!(closest("famly", &keys), Some("family"));
        assert_eq!(closest("maxsteps", &keys), Some("max_steps"));
        assert_eq!(closest("forbidden_tools", &keys), Some("forbid"));
        assert_eq!(closest("colour", &keys), None);
    }
}
