// A seeded defect as a folder that can be run.
import fs from 'node:fs';
import path from 'node:path';
import { copied, installed } from './install.mjs';
import { spliced } from './mutations.mjs';
import { packages } from './packages.mjs';
import { commandOf } from './running.mjs';

// `command` fails in `folder` because of the defect: `wherefore why -- ...command` can be asked there. The folder is the caller's
// to remove.
export function prepared(defect, cache) {
  const entry = packages.find(({ name }) => name === defect.package);
  const home = installed(entry, cache);
  const folder = path.join(home, 'defects', `${defect.file.replace(/\W/g, '-')}-${defect.start}-${defect.end}-${defect.kind}`);
  copied(home, folder);
  const file = path.join(folder, defect.file);
  fs.writeFileSync(file, spliced(fs.readFileSync(file, 'utf8'), { start: defect.start, end: defect.end, text: defect.replacement }));
  return { folder, command: commandOf(entry, defect.test) };
}
