// Assertions, non-null marks and type arguments, and what would run on without them.
const config = { a: 1, b: [2] }                          ;
const x = (y                 ) .length;
target.a  += other .b .c [0] ;
(target                          ).a = 1;
const tagged = sql     `select ${id          }`;
const instance = new Box               (f        (1), g?.        ("a"));
const partial = identity        ;
let a = b ;        
(c       )();
let d = e ;       
[f, g].forEach(h);
let i = j ;          
`text ${l}`.trim();
let m = n
;              
(p)();
let q = r
;                    (v)();
let w = z
           ;
           
/regex/.test(w);
const compare = (a          ) < (b          ) ? a  : b ;
