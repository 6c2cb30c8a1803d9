# plot_legend.gp - one legend for all panels of a figure: an empty plot of the full width.
set lmargin at screen 0
set rmargin at screen 1
set bmargin at screen 0.1
set tmargin at screen 0.9
unset title
unset xlabel
unset ylabel
unset border
unset tics
unset grid
unset logscale
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, 0.972 center top horizontal reverse Left samplen 4
