import os, builtins
content = os.pread(4, os.fstat(4).st_size, 0)
os.close(4)
if content[:1] == b"M":
    import marshal
    from _frozen_importlib_external import MAGIC_NUMBER
    if content[1:5] != MAGIC_NUMBER:
        raise SystemExit("the bootstrap was compiled by another interpreter; compile it again for this one")
    code = marshal.loads(memoryview(content)[5:])
else:
    code = compile(content, "<dayfly>", "exec", 0, True)
exec(code, {"__name__": "dayfly", "__builtins__": dict(vars(builtins))})
