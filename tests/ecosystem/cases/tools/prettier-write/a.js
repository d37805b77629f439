const a={b:1,c:[1,2,3],   d(x){return x+1}};  export default async()=>await a.d(  1)
