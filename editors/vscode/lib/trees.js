// Answers as trees: a node is what happened (`says`), where (`point`), and what explains it (`children`).
'use strict';

/** `why`: hops that explain each other. */
function why(answer) {
  const nodes = answer.chain.map((hop) => ({
    says: [hop.text, hop.rounds?.text, hop.because?.text, hop.end_text].filter(Boolean).join('; '),
    point: hop.point,
    children: (hop.with ?? []).map(({ text, point }) => ({ says: text, point, children: [] })),
  }));
  answer.chain.forEach((hop, at) => {
    if (hop.parent !== undefined) nodes[hop.parent].children.push(nodes[at]);
  });
  const [first] = nodes;
  const message = answer.failure?.message;
  return first ? [{ ...first, says: !message || first.says.startsWith(message) ? first.says : `${message} — ${first.says}` }] : [];
}

/** Newest first. */
function history(answer) {
  const text = (value) => value?.text ?? 'nothing';
  return answer.changes.map((change) => ({ says: `${text(change.old)} → ${text(change.new)}`, point: change.point, children: [] })).reverse();
}

function omissions(answer) {
  if (answer.results.length === 0) return [{ says: `Nothing was left out: ${answer.about}`, children: [] }];
  return answer.results.map((result) => ({
    says: `${result.operation.text} (${result.operation.file}:${result.operation.line}) did not happen`,
    children: [{ says: result.text, point: result.branch, children: [] }],
  }));
}

function none(answer) {
  return [{ says: answer.text, children: [] }];
}

module.exports = { why, history, omissions, none };
