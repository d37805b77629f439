class Lazy { #x = 1; static make() { return new Lazy().#x ?? 2; } }
export default Lazy.make();
