//! "did you mean": the nearest of some names.

/// The candidate that `word` most likely is a misspelling of, or none when nothing is near. Near
/// means at most one edit for each three characters of the longer word (at least one); an edit
/// adds, drops or replaces a character or swaps two neighbours, and case costs nothing. Of equally
/// near candidates the first is taken.
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let word = lowered(word);
    // no name of ours is that long, and the table below grows with the square
    if word.len() > 64 {
        return None;
    }
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = lowered(candidate);
        let longer = word.len().max(other.len());
        let limit = (longer / 3).max(1);
        let distance = edits(&word, &other);
        // a word replaced altogether is no misspelling, however short
        if distance <= limit && distance < longer && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

fn lowered(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// Edit distance with swaps of neighbours (optimal string alignment), by rows.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, &y) in b.iter().enumerate() {
            let replace = above[j] + usize::from(x != y);
            let mut least = replace.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && x == b[j - 1] && a[i - 1] == y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_the_near_and_leaves_the_far() {
        let keys = ["prompt", "checks", "timeout_s", "id"];
        assert_eq!(closest("check", keys), Some("checks"));
        assert_eq!(closest("timout_s", keys), Some("timeout_s"));
        assert_eq!(closest("pormpt", keys), Some("prompt"));
        assert_eq!(closest("ID", keys), Some("id"));
        assert_eq!(closest("colour", keys), None);
        assert_eq!(closest("x", ["y"]), None);
        assert_eq!(closest("", keys), None);
    }

    #[test]
    fn takes_the_nearest() {
        assert_eq!(closest("tags", ["tag", "tasks", "tags"]), Some("tags"));
    }
}
