export class Folder {
  readonly children = new Map<string, Folder>();
  size = 0;
  files = 0;

  constructor(readonly name: string) {}

  child(name: string): Folder {
    let child = this.children.get(name);
    if (!child) {
      child = new Folder(name);
      this.children.set(name, child);
    }
    return child;
  }
}
