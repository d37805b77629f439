// Values at the ends of lines: of the variables that the line of the moment names.
import type { FrameJson } from '../../api/types';
import { source } from '../../state/sources';
import type { LineValue } from './facts';

export function endings(file: string, frame: FrameJson | undefined): Map<number, LineValue[]> {
  const found = new Map<number, LineValue[]>();
  const text = source.peek();
  const line = frame?.point?.line;
  if (!frame || !text || text.file !== file || !line) return found;
  const words = new Set(text.text.split('\n')[line - 1]?.match(/[\w$]+/g) ?? []);
  const values = frame.variables
    .filter((variable) => words.has(variable.name) && variable.value.type !== 'function')
    .map((variable) => ({ name: variable.name, text: short(variable.value.text) }));
  if (values.length) found.set(line, values);
  return found;
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
