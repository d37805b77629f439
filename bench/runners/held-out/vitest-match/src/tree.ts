import { Folder } from './node';
import { parts } from './path';

export class Tree {
  readonly root = new Folder('');

  add(path: string, size: number): void {
    const folders = parts(path).slice(0, -1);
    let node = this.root;
    count(node, size);
    for (const name of folders) {
      node = node.child(name);
      count(node, size);
    }
  }

  find(path: string): Folder | undefined {
    let node: Folder | undefined = this.root;
    for (const name of parts(path)) node = node?.children.get(name);
    return node;
  }
}

function count(node: Folder, size: number): void {
  node.size += size;
  node.files = 1;
}
