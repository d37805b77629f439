//! Code that was compiled is told of in the words of its source. Needs the addon (`cargo xtask build`).

use crate::support::{json, project, run};

const RATES: &str =
    "exports.rates = { late: 0.5 };\nexports.default = (kind) => (kind === 'none' ? undefined : 0.2);\n";

const SOURCE: &str = "import rateOf, { rates } from './rates.js';\nimport * as all from './rates.js';\n\
    export function discount(price, kind) {\n  const part = rateOf(kind) ?? rates.late;\n  \
    return price * part * all.rates.late * scale(rates.late);\n}\nfunction scale(by) {\n  return by * 2;\n}\n";

const SHOP: &str = "const { discount } = require('./offers.js');\nconst got = discount(10, 'none');\n\
    if (got !== 2) throw new Error('wrong');\n";

/// What compilers make of it, with the pieces that are mapped and what they came from.
struct Compiled {
    lines: &'static [&'static str],
    /// In the order of the text, each behind the one before.
    mapped: &'static [(&'static str, &'static str)],
}

const BABEL: Compiled = Compiled {
    lines: &[
        "\"use strict\";",
        "exports.discount = discount;",
        "var _rates = require(\"./rates.js\"), all = _rates;",
        "function discount(price, kind) {",
        "  const part = (0, _rates.default)(kind) ?? _rates.rates.late;",
        "  return price * part * all.rates.late * scale(_rates.rates.late);",
        "}",
        "function scale(by) { return by * 2; }",
    ],
    mapped: &[
        ("var _rates", "import rateOf"),
        ("function discount", "function discount"),
        ("const part", "const part"),
        ("part =", "part ="),
        ("(0, _rates", "rateOf(kind)"),
        ("_rates.default", "rateOf(kind)"),
        ("(kind)", "(kind) ??"),
        ("_rates.rates", "rates.late"),
        (".late;", ".late;"),
        ("return price", "return price"),
        ("price *", "price *"),
        ("part *", "part *"),
        ("all.rates", "all.rates"),
        ("scale(", "scale("),
        ("_rates.rates.late)", "rates.late)"),
        ("function scale", "function scale"),
        ("return by", "return by"),
    ],
};

const TYPESCRIPT: Compiled = Compiled {
    lines: &[
        "\"use strict\";",
        "exports.discount = discount;",
        "const rates_1 = require(\"./rates.js\");",
        "const all = rates_1;",
        "function discount(price, kind) {",
        "  const part = (0, rates_1.default)(kind) ?? rates_1.rates.late;",
        "  return price * part * all.rates.late * scale(rates_1.rates.late);",
        "}",
        "function scale(by) { return by * 2; }",
    ],
    mapped: &[
        ("const rates_1", "import rateOf"),
        ("function discount", "function discount"),
        ("const part", "const part"),
        ("part =", "part ="),
        ("(0, rates_1", "rateOf(kind)"),
        ("(kind)", "(kind) ??"),
        ("rates_1.rates", "rates.late"),
        (".late;", ".late;"),
        ("return price", "return price"),
        ("price *", "price *"),
        ("part *", "part *"),
        ("all.rates", "all.rates"),
        ("scale(", "scale("),
        ("rates_1.rates.late)", "rates.late)"),
        ("function scale", "function scale"),
        ("return by", "return by"),
    ],
};

#[test]
fn names_of_a_compiler_are_not_shown() {
    for compiled in [BABEL, TYPESCRIPT] {
        let text = compiled.lines.join("\n") + "\n//# sourceMappingURL=offers.js.map\n";
        let project = project(&[
            ("rates.js", RATES),
            ("offers.ts", SOURCE),
            ("offers.js", &text),
            ("offers.js.map", &compiled.map()),
            ("shop.js", SHOP),
        ]);
        let folder = project.path();
        run(folder, &["record", "--", "node", "shop.js"]);
        let (_, why, _) = run(folder, &["why"]);
        assert!(why.contains("part became 0.5"), "{why}");
        for words in ["rates.late was 0.5", "all.rates.late"] {
            assert!(why.contains(words), "{words}: {why}");
        }
        for question in [&["why"][..], &["why", "--all"], &["last-change", "part", "--at", "offers.ts:5"]] {
            let answer = json(folder, question).to_string();
            assert!(!answer.contains("_rates") && !answer.contains("rates_1"), "{question:?}: {answer}");
        }
    }
}

impl Compiled {
    /// The source map, as JSON.
    fn map(&self) -> String {
        let (mut lines, mut rest) = (Vec::new(), self.mapped);
        let mut from = 0;
        let mut last = (0, 0);
        for line in self.lines {
            let (mut segments, mut column, mut looked_from) = (Vec::new(), 0, 0);
            while let Some((piece, came_from)) = rest.first()
                && let Some(at) = line[looked_from..].find(piece)
            {
                let start = looked_from + at;
                let origin = from + SOURCE[from..].find(came_from).expect(came_from);
                let before = &SOURCE[..origin];
                let position = (before.matches('\n').count(), origin - before.rfind('\n').map_or(0, |end| end + 1));
                let step = |to: usize, from: usize| vlq(to as i64 - from as i64);
                let mut segment = step(start, column) + "A" + &step(position.0, last.0);
                segment.push_str(&step(position.1, last.1));
                segments.push(segment);
                (column, last, from, looked_from, rest) = (start, position, origin, start + 1, &rest[1..]);
            }
            lines.push(segments.join(","));
        }
        assert!(rest.is_empty(), "not found: {rest:?}");
        serde_json::json!({ "version": 3, "sources": ["offers.ts"], "names": [], "mappings": lines.join(";") })
            .to_string()
    }
}

fn vlq(number: i64) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut left = number.unsigned_abs() << 1 | u64::from(number < 0);
    let mut text = String::new();
    loop {
        let digit = left & 31;
        left >>= 5;
        text.push(char::from(DIGITS[(digit | if left > 0 { 32 } else { 0 }) as usize]));
        if left == 0 {
            return text;
        }
    }
}
