# plot_look.gp - the style of all plots: those of sdca report, of launch/paper and of tests/bench/scaling.
set encoding utf8

# Colours that can be distinguished with any colour vision, and dashes.
set style line 1 linecolor "#0072B2" linewidth 2 dashtype solid pointtype 7 pointsize 0.4
set style line 2 linecolor "#D55E00" linewidth 2 dashtype (9, 4) pointtype 7 pointsize 0.4
set style line 3 linecolor "#009E73" linewidth 2 dashtype (3, 3) pointtype 7 pointsize 0.4
set style line 4 linecolor "#444444" linewidth 1.5 dashtype (10, 3, 2, 3) pointtype 7 pointsize 0.4
set style line 5 linecolor "#CC79A7" linewidth 2 dashtype solid pointtype 7 pointsize 0.4
set style line 6 linecolor "#E69F00" linewidth 2 dashtype (9, 4) pointtype 7 pointsize 0.4
set style line 7 linecolor "#56B4E9" linewidth 2 dashtype (3, 3) pointtype 7 pointsize 0.4
set style line 8 linecolor "#8B5A2B" linewidth 2 dashtype (10, 3, 2, 3) pointtype 7 pointsize 0.4

set border 3 linecolor "#666666"
set grid linecolor "#DDDDDD" linewidth 0.5
set tics nomirror out scale 0.5 font ",11"
unset key
