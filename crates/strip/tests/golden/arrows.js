// Arrow functions, whose parentheses may have to move.
const plain = (x                   ) => x;
const generic =     (x   , y      )    => x;
const asynchronous = async    (x            )             => await x;
const broken = (a         
         ) =>
  a + 1;
const wide = (a    
             ) => a;
const long = async (
                           
  x   ) => x;
function restricted(kind        ) {
  if (kind === 0) return (  
     x   ) => x;
  throw (  
     x   ) => x;
}
const nested = (f                                    ) => (x = 1          , { y }                = { y: "" }) => x;
const predicate = (x         )              => typeof x === "string";
const assertion = function (x         )                      {};
