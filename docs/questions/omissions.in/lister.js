const names = ['a.txt', 'b.txt'];
class FileLister {
  run(args) {
    this.init();
    this.setArgs(args);
    if (this.active) this.addItem();
    this.printItems();
  }
  init() {
    this.dir = names;
    this.list = [];
    this.args = [];
    this.active = false; // the defect
  }
  setArgs(as) {
    for (const a of as) this.args.push(a);
  }
  addItem() {
    const d = this.list;
    for (const n of this.dir) d.push(n);
  }
  printItems() {
    const s = this.list;
    console.log(s.join());
  }
  addNewItem(n) { this.list.push(n); }
}
new FileLister().run(['x']);
