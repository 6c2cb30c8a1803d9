# figure.gp - how the figures of launch/paper look; each of their .gp files loads it.
set terminal svg size 60 + 300 * columns, 960 font "sans-serif,12" background "white" enhanced
set encoding utf8
set datafile separator comma
set datafile columnheaders

# Colours that any colour vision can tell apart, and dashes besides.
set style line 1 linecolor "#0072B2" linewidth 2 dashtype solid
set style line 2 linecolor "#D55E00" linewidth 2 dashtype (9, 4)
set style line 3 linecolor "#009E73" linewidth 2 dashtype (3, 3)
set style line 4 linecolor "#444444" linewidth 1.5 dashtype (10, 3, 2, 3)

set border 3 linecolor "#666666"
set grid linecolor "#DDDDDD" linewidth 0.5
set tics nomirror out scale 0.5 font ",11"
unset key

# Distances from the optimum, or percents of the test rows.
if (logarithmic) {
    set logscale y 10
    set format y "10^{%L}"
    set ytics 100
    set mytics 1
}

down_to(low, x) = x >= low ? x : NaN
