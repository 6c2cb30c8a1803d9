# figure.gp - common settings of the figures of launch/paper; each .gp file loads it.
set terminal svg size 60 + 300 * columns, 960 font "sans-serif,12" background "white" enhanced
set datafile separator comma
set datafile columnheaders

# Distances from the optimum, or test errors in percent.
if (logarithmic) {
    set logscale y 10
    set format y "10^{%L}"
    set ytics 100
    set mytics 1
}

down_to(low, x) = x >= low ? x : NaN
