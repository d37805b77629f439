//! Members whose object and key are needed again behind them.

use helper_names::MEET_FOR_KEY;
use oxc_ast::ast::*;
use oxc_ast_visit::Visit;
use oxc_span::GetSpan;

use crate::anchors::Anchors;
use crate::edits::Slot;
use crate::frames::Temp;
use crate::walker::Walker;

impl<'a, N: Anchors> Walker<'a, '_, N> {
    /// Walks a member whose object, and key where it is computed, may be needed again behind it.
    pub(super) fn kept_member(&mut self, member: &MemberExpression<'a>, keeps_key: bool) -> Kept {
        let object = member.object();
        let text = self.readable_twice(object);
        let temp = if text.is_none() { Some(self.reserve_temp()) } else { None };
        let object = self.walked(object);
        let key = match member {
            MemberExpression::ComputedMemberExpression(computed) if keeps_key => {
                let temp = self.reserve_temp();
                Some((temp, self.walked(&computed.expression)))
            }
            _ => None,
        };
        Kept { text, temp, object, key }
    }

    /// Walks an expression, with room around it.
    pub(super) fn walked(&mut self, expression: &Expression<'a>) -> Around {
        let open = self.edits.reserve(expression.span().start);
        self.visit_expression(expression);
        let close = self.edits.reserve(expression.span().end);
        Around { open, close, is_sequence: matches!(expression, Expression::SequenceExpression(_)) }
    }

    /// Keeps object and key of a member that was walked: gives their texts. `by_key`: the key decides whether it matters.
    pub(super) fn keep(&mut self, kept: Kept, site: &str, by_key: bool) -> (String, Option<String>) {
        let looks = !self.selection.is_all();
        let by_key = by_key && kept.key.is_some();
        let temp = kept.temp.map(|temp| self.declare_temp(temp));
        let (text, kept_as) = match (kept.text, temp) {
            (Some(text), _) => (text, None),
            (None, temp) => {
                let temp = temp.unwrap_or_default();
                (temp.clone(), Some(format!("{temp}=")))
            }
        };
        let look = if looks && !by_key { Some(self.stamp_before_write(site, &text)) } else { None };
        match (kept_as, look) {
            (None, None) => {}
            (None, Some(look)) => {
                self.edits.fill(kept.object.open, format!("({look},"));
                self.edits.fill(kept.object.close, ")".into());
            }
            (Some(kept_as), None) => {
                self.edits.fill(kept.object.open, format!("({kept_as}"));
                self.edits.fill(kept.object.close, ")".into());
            }
            (Some(kept_as), Some(look)) => {
                self.edits.fill(kept.object.open, format!("({kept_as}"));
                self.edits.fill(kept.object.close, format!(",{look},{text})"));
            }
        }
        let key = kept.key.map(|(temp, key)| {
            let temp = self.declare_temp(temp);
            let (open, close) =
                if by_key { (format!("{temp}={MEET_FOR_KEY}({text},"), ")") } else { (format!("{temp}="), "") };
            let (paren, end) = if key.is_sequence { ("(", ")") } else { ("", "") };
            self.edits.fill(key.open, format!("{open}{paren}"));
            self.edits.fill(key.close, format!("{end}{close}"));
            temp
        });
        (text, key)
    }
}

/// A member that was walked, and that can be kept.
pub(super) struct Kept {
    /// What the object is, if it can be read twice.
    text: Option<String>,
    /// Else where it can be kept.
    temp: Option<Temp>,
    object: Around,
    key: Option<(Temp, Around)>,
}

/// Room before and behind an expression.
pub(super) struct Around {
    pub open: Slot,
    pub close: Slot,
    pub is_sequence: bool,
}
