interface A<T extends string=''>{a:T;b?:number}
enum E{A,B}; @dec class C<T> {constructor(private a:T){}}
