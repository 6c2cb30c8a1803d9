# slim.sed - for sed -z -E: remove empty groups and default attributes, half of gnuplot's SVG.
s/ stroke-linecap="butt" stroke-linejoin="miter"//g; s/<g [^>]*>\n<\/g>\n//g; s/\t//g
s/ font-family="sans-serif"//g; s/<svg/<svg font-family="sans-serif"/; s/<tspan *>/<tspan>/g
s/\.00([ ,"])/\1/g; s/ class="gridline"//g; s/rgb\(102, ?102, ?102\)/#666/g; s/ +\x27/\x27/g
