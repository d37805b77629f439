// The chain as something to send: Markdown, or a picture.
import { type Placed, placed } from '../../state/chain';
import { failures, run } from '../../state/run';
import { placeOf } from '../../widgets/words';

export function downloadMarkdown(): void {
  download('chain.md', 'text/markdown', markdown(placed.value));
}

export function downloadPicture(): void {
  download('chain.svg', 'image/svg+xml', picture(placed.value));
}

export function markdown(all: Placed[]): string {
  const lines = [`# ${failures.value[0]?.message ?? run.value?.command.join(' ') ?? 'chain'}`, ''];
  if (run.value) lines.push(`\`${run.value.command.join(' ')}\`, run ${run.value.number ?? ''}`, '');
  all.forEach(({ card, depth }, index) => {
    const indent = '   '.repeat(depth);
    const place = card.point ? ` (${placeOf(card.point)}${card.point.point ? `, ${card.point.point}` : ''}${card.run ? ` of run ${card.run}` : ''})` : '';
    lines.push(`${indent}${index + 1}. **${card.name ?? card.title}**${place}`);
    if (card.point?.text) lines.push(`${indent}   \`${card.point.text.trim().replaceAll('`', 'ˋ')}\``);
    if (card.text) lines.push(`${indent}   ${card.text}`);
    if (card.old && card.new) lines.push(`${indent}   ${card.old.text} → ${card.new.text}`);
    if (card.note) lines.push(`${indent}   > ${card.note.replaceAll('\n', ' ')}`);
  });
  return `${lines.join('\n')}\n`;
}

const [WIDTH, ROW, STEP] = [900, 70, 26];

/** Drawn with what every viewer has: no style of the page is needed to read it. */
export function picture(all: Placed[]): string {
  const parts = all.map(({ card, depth }, index) => {
    const x = 20 + depth * STEP;
    const y = 60 + index * ROW;
    const parent = all.findIndex((one) => one.card.id === card.parent);
    const line =
      parent < 0
        ? ''
        : `<path d="M${20 + all[parent]!.depth * STEP + 11} ${60 + parent * ROW + 22}V${y + 11}H${x}" fill="none" stroke="#9aa7b5"/>`;
    const second = card.old && card.new ? `${card.old.text} → ${card.new.text}` : (card.text ?? '');
    return `${line}
<circle cx="${x + 11}" cy="${y + 11}" r="11" fill="#2f6fb2"/><text x="${x + 11}" y="${y + 15}" fill="#fff" text-anchor="middle" font-size="11">${index + 1}</text>
<text x="${x + 30}" y="${y + 10}" font-weight="bold">${escaped(cut(card.name ?? card.title, 70))} <tspan fill="#5b6672" font-weight="normal">${escaped(placeOf(card.point))}</tspan></text>
<text x="${x + 30}" y="${y + 27}" font-family="monospace" font-size="12">${escaped(cut(card.point?.text?.trim() ?? '', 95))}</text>
<text x="${x + 30}" y="${y + 43}" fill="#3d4650">${escaped(cut(second, 110))}</text>`;
  });
  const title = failures.value[0]?.message ?? run.value?.command.join(' ') ?? '';
  const height = 70 + all.length * ROW;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#14181d">
<rect width="100%" height="100%" fill="#fff"/><text x="20" y="32" font-size="16" font-weight="bold">${escaped(cut(title, 100))}</text>
${parts.join('\n')}
</svg>
`;
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function download(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}
