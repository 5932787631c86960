// Members that vanish, modifiers that vanish, and the semicolons that keep the rest apart.
         class Shape                                                   {
                               
  static          count         = 0;
           #secret          = "s";
            name         ;
  ;      ["computed"]         = 1;
  ;       *[Symbol.iterator]()              {}
  get;       ;
  set ;       ;
                         
                            
  constructor(public_        , readonly_         ) { this.name = public_; }
                          
                                           
  static { this.count                 ; }
  get size()         { return 1 }
  set size(value        ) {}
           async method    (                x   )             { return x }
}
class Field {
  x = 1
  ;                
   [z] = 5
}
class Open {
  x = y
  ;                
  [w] = 5
}
const expression = class    extends Base                 {};
