// Types in every place a declaration has for them.
                                           
                                                
                                                    
            
                         
                                  
 
                              
                                              

let count         = 0, label         ;
const [first, { name }]                = [1, { id: 1, name: "é" }];
const pairs = new Map                              ();

                                            
                                                                          
function find(             id                 , strict          = false, ...rest           )                  {
  return this.rows.find((row     )             => row.id === id) ;
}

async function* pages   (source                  , size         )                      {
  for await (const item of source                    ) yield [item]              ;
}
