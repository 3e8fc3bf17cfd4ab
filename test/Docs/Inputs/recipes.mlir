// Recipes for several models: name one as FILE@SYMBOL.

#mx = #ufp4.scheme<e1m2, block = 32, scale = ue8m0>
#nv = #ufp4.scheme<e1m2, block = 16, scale = ue4m3>

ufp4.recipe @forward fprop(x = <#mx, nearest>, w = <#mx, nearest>)

ufp4.recipe @gentle
  fprop(x = <#nv, nearest>, w = <#nv, nearest>)
  dgrad(dy = <#nv, stochastic>, w = <#nv, nearest>)
