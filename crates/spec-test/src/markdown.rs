//! As much of Markdown as a specification uses: headings, fenced blocks, comments.

use std::ops::Range;

/// A heading and the blocks below it, up to the next heading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    pub heading: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What stands behind the opening fence.
    pub info: String,
    pub text: String,
    /// The lines of the file that the text takes, from 0; the fences are around them.
    pub lines: Range<usize>,
    /// Comments between the block before and this one.
    pub comments: Vec<String>,
}

pub fn sections(text: &str) -> Result<Vec<Section>, String> {
    let mut sections: Vec<Section> = Vec::new();
    let mut comments = Vec::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if let Some(fence) = fence_of(line) {
            let info = line[fence.len()..].trim().to_owned();
            let start = number + 1;
            let body: Vec<&str> =
                lines.by_ref().map(|(_, line)| line).take_while(|line| !closes(line, fence)).collect();
            let end = start + body.len();
            if text.lines().nth(end).is_none() {
                return Err(format!("the block in line {} is not closed", number + 1));
            }
            let Some(section) = sections.last_mut() else {
                return Err(format!("the block in line {} has no heading", number + 1));
            };
            let text = body.iter().map(|line| format!("{line}\n")).collect();
            section.blocks.push(Block { info, text, lines: start..end, comments: std::mem::take(&mut comments) });
        } else if let Some(heading) = heading_of(line) {
            comments.clear();
            sections.push(Section { heading: heading.to_owned(), blocks: Vec::new() });
        } else if let Some(comment) = line.trim().strip_prefix("<!--").and_then(|rest| rest.strip_suffix("-->")) {
            comments.push(comment.trim().to_owned());
        }
    }
    Ok(sections)
}

fn fence_of(line: &str) -> Option<&str> {
    let length = line.bytes().take_while(|byte| *byte == b'`').count();
    (length >= 3).then(|| &line[..length])
}

fn closes(line: &str, fence: &str) -> bool {
    line.trim_end().strip_prefix(fence).is_some_and(|rest| rest.bytes().all(|byte| byte == b'`'))
}

fn heading_of(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len()).then(|| text.strip_prefix(' ')).flatten().map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_blocks_and_comments() {
        let text =
            "# Title\nprose\n\n## One\n<!-- wrong: so -->\n```js a.js\n# no heading\n```\n````answer\n```\n````\n";
        let found = sections(text).expect("well-formed");
        assert_eq!(found.iter().map(|section| section.heading.as_str()).collect::<Vec<_>>(), ["Title", "One"]);
        let block = |info: &str, text: &str, lines, comments: &[&str]| Block {
            info: info.into(),
            text: text.into(),
            lines,
            comments: comments.iter().map(|comment| comment.to_string()).collect(),
        };
        assert_eq!(
            found[1].blocks,
            [block("js a.js", "# no heading\n", 6..7, &["wrong: so"]), block("answer", "```\n", 9..10, &[])]
        );
    }

    #[test]
    fn a_block_must_be_closed_and_have_a_heading() {
        assert_eq!(sections("# A\n```js\nx\n"), Err("the block in line 2 is not closed".into()));
        assert_eq!(sections("```js\n```\n"), Err("the block in line 1 has no heading".into()));
    }
}
