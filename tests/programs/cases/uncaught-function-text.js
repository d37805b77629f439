// V8 prints the function that is no constructor.
const few = () => { let x = 1; return x; };
class A extends few {}
