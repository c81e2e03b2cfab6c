//! Members of a ZIP archive (PKWARE APPNOTE 6.3.9): stored, deflated (8), or Zstandard (93), which
//! is what Inspect writes. No encryption, no second disk, no ZIP64.

use std::io::Read;

/// The most bytes that a member may unpack to.
const LARGEST: usize = 1 << 30;

/// The first bytes of an archive.
pub(super) fn is_one(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// A member by its name, unpacked; `None` when there is none. An error says what is wrong with the
/// archive.
pub(super) fn member(bytes: &[u8], name: &str) -> Result<Option<Vec<u8>>, String> {
    let Some(entry) = entries(bytes)?
        .into_iter()
        .find(|entry| entry.name == name.as_bytes())
    else {
        return Ok(None);
    };
    unpacked(bytes, &entry)
        .map(Some)
        .ok_or_else(|| format!("its member {name} can't be unpacked"))
}

/// An entry of the central directory.
struct Entry<'b> {
    name: &'b [u8],
    method: u16,
    packed: usize,
    size: usize,
    crc: usize,
    offset: usize,
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    let two = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_le_bytes(two.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    usize::try_from(u32::from_le_bytes(four.try_into().ok()?)).ok()
}

fn entries(bytes: &[u8]) -> Result<Vec<Entry<'_>>, String> {
    let end = bytes
        .windows(4)
        .rposition(|four| four == b"PK\x05\x06")
        .ok_or("it is no whole archive: its directory is missing")?;
    directory(bytes, end).ok_or_else(|| "its directory can't be read".to_owned())
}

fn directory(bytes: &[u8], end: usize) -> Option<Vec<Entry<'_>>> {
    let count = u16_at(bytes, end + 10)?;
    let mut at = u32_at(bytes, end + 16)?;
    let mut entries = Vec::new();
    for _ in 0..count {
        let header = bytes.get(at..)?;
        if !header.starts_with(b"PK\x01\x02") || u16_at(header, 8)? & 1 != 0 {
            return None;
        }
        let name_length = usize::from(u16_at(header, 28)?);
        let more = usize::from(u16_at(header, 30)?) + usize::from(u16_at(header, 32)?);
        entries.push(Entry {
            name: header.get(46..46 + name_length)?,
            method: u16_at(header, 10)?,
            packed: u32_at(header, 20)?,
            size: u32_at(header, 24)?,
            crc: u32_at(header, 16)?,
            offset: u32_at(header, 42)?,
        });
        at += 46 + name_length + more;
    }
    Some(entries)
}

fn unpacked(bytes: &[u8], entry: &Entry<'_>) -> Option<Vec<u8>> {
    let local = bytes.get(entry.offset..)?;
    let names = usize::from(u16_at(local, 26)?) + usize::from(u16_at(local, 28)?);
    let start = 30 + names;
    let packed = local.get(start..start.checked_add(entry.packed)?)?;
    if entry.size > LARGEST {
        return None;
    }
    let unpacked = match entry.method {
        0 => packed.to_vec(),
        8 => miniz_oxide::inflate::decompress_to_vec_with_limit(packed, entry.size).ok()?,
        93 => {
            let mut text = Vec::new();
            let decoder = ruzstd::decoding::StreamingDecoder::new(packed).ok()?;
            decoder
                .take(entry.size as u64 + 1)
                .read_to_end(&mut text)
                .ok()?;
            text
        }
        _ => return None,
    };
    let is_whole = unpacked.len() == entry.size && crc32(&unpacked) as usize == entry.crc;
    is_whole.then_some(unpacked)
}

/// CRC-32 as ZIP has it: polynomial 0xEDB88320, reflected.
fn crc32(bytes: &[u8]) -> u32 {
    let mut table = [0_u32; 256];
    for (slot, byte) in table.iter_mut().zip(0_u32..) {
        *slot = (0..8).fold(byte, |crc, _| {
            (crc >> 1) ^ (0xEDB8_8320 & 0_u32.wrapping_sub(crc & 1))
        });
    }
    let step = |crc: u32, byte: &u8| (crc >> 8) ^ table[((crc ^ u32::from(*byte)) & 0xFF) as usize];
    !bytes.iter().fold(!0, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive of one member, packed by a method.
    fn archive(method: u16, packed: &[u8], text: &[u8]) -> Vec<u8> {
        let size = text.len();
        let name = b"a.txt";
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.extend([0; 22]);
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(name);
        bytes.extend(packed);
        let directory = bytes.len();
        let mut entry = b"PK\x01\x02".to_vec();
        entry.extend([0; 6]);
        entry.extend(method.to_le_bytes());
        entry.extend([0; 4]);
        entry.extend(crc32(text).to_le_bytes());
        entry.extend((packed.len() as u32).to_le_bytes());
        entry.extend((size as u32).to_le_bytes());
        entry.extend((name.len() as u16).to_le_bytes());
        entry.extend([0; 16]);
        entry.extend(name);
        bytes.extend(&entry);
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 6]);
        bytes.extend(1_u16.to_le_bytes());
        bytes.extend((entry.len() as u32).to_le_bytes());
        bytes.extend((directory as u32).to_le_bytes());
        bytes.extend([0; 2]);
        bytes
    }

    #[test]
    fn members_are_stored_or_deflated() {
        let text = b"the same, the same, the same";
        let packed = miniz_oxide::deflate::compress_to_vec(text, 6);
        for whole in [archive(0, text, text), archive(8, &packed, text)] {
            assert!(is_one(&whole));
            assert_eq!(member(&whole, "a.txt").unwrap().unwrap(), text);
            assert_eq!(member(&whole, "b.txt"), Ok(None));
        }
        assert_eq!(
            crc32(b"123456789"),
            0xCBF4_3926,
            "the check value of the standard"
        );
    }

    #[test]
    fn what_is_broken_is_said_and_nothing_is_guessed() {
        let whole = archive(0, b"text", b"text");
        for cut in 0..whole.len() - 1 {
            let _ = member(&whole[..cut], "a.txt");
        }
        let gone = member(b"PK\x03\x04", "a.txt").unwrap_err();
        assert!(gone.contains("directory is missing"), "{gone}");
        let bomb = miniz_oxide::deflate::compress_to_vec(&[0; 100_000], 9);
        for broken in [
            archive(0, b"text", b"texts"),
            archive(0, b"text", b"test"),
            archive(99, b"text", b"text"),
            archive(8, b"text", b"text"),
            archive(8, &bomb, &[0; 10]),
        ] {
            let error = member(&broken, "a.txt").unwrap_err();
            assert!(error.contains("can't be unpacked"), "{error}");
        }
    }
}
