#!/usr/bin/env bash
# One of four hosts loses its network during training: mpirun ends the job on all hosts,
# with a message, after its keepalives time out. The run resumes on the remaining hosts
# and, when the link is back, on all.
set -euo pipefail
. "$(dirname "$0")/../e2e/common.sh"
. "$here/../faults/background_run.sh"

network=$here/../bench/emulated_network
if ! "$network" up net "$(dirname "$sdca")/tests/bench_ethernet_switch" 4 20 10000 2>up.err; then
    echo "SKIPPED: no emulated network: $(cat up.err)"
    [ ! -e net ] || "$network" down net
    exit 77
fi
at_exit=(end_network)
end_network() {
    kill_all
    "$network" down net
    end_all
}

# Keepalive after 2 seconds, two more probes, one second apart. The defaults are 300, 9
# and 20, which take eight minutes.
export OMPI_MCA_oob_tcp_keepalive_time=2 OMPI_MCA_oob_tcp_keepalive_probes=2 OMPI_MCA_oob_tcp_keepalive_intvl=1
"$sdca" generate cov1 data.h5 --scale 0.01 --quiet
what=(data.h5 --all-ranks --solver sdca --lambda 1e-4 --evaluate 10 --checkpoint run.h5 --checkpoint-every 10r)

# begin_on HOSTS - start an endless run on HOSTS hosts, one rank each.
begin_on() {
    : >background.err
    "$network" run net "$mpirun" -np "$1" "$background_sdca" train "${what[@]}" -o model.h5 --gap 1e-18 --resume \
        >background.out 2>background.err &
    launcher=$!
    expect_rounds
    [ "$(ranks | wc -l)" -eq "$1" ] || fail "expected $1 ranks, got $(ranks)"
}

# set_link HOST up|down
set_link() {
    ip -n "$(sed -n "$1p" net/namespaces)" link set eth0 "$2"
}

expect_exit 0 "$sdca" train data.h5 -o whole.h5 --solver sdca --lambda 1e-4 --rel-gap 1e-4 --quiet
for host in 3 1; do # the second time, the host of mpirun
    begin_on 4
    set_link "$host" down
    tally fault
    began=$SECONDS
    within 60 is_over || fail "host $host cut off: still alive after a minute: $(ranks | xargs)"
    expect_over "host $host cut off"
    echo "host $host cut off: all processes ended after $((SECONDS - began)) s"
    [ "$code" -ne 0 ] || fail "host $host cut off: exit status 0"
    grep -q 'lost communication with a remote daemon' background.err || fail "no message: $(cat background.err)"
    expect_none model.h5
    round=$(checkpoint round run.h5)
    set_link "$host" up
    grep -v "10.97.0.$host " net/hosts >net/others # without the disconnected host
    mv net/hosts net/all
    mv net/others net/hosts
    expect_exit 3 "$network" run net "$mpirun" -np 3 "$sdca" train "${what[@]}" -o model.h5 --gap 1e-18 --resume \
        --rounds $((round + 50))
    grep -q 'resumed   from run.h5$' err || fail "not resumed: $(cat err)"
    tally resume
    mv net/all net/hosts
    rm model.h5
done
expect_exit 0 "$network" run net "$mpirun" -np 4 "$sdca" train "${what[@]}" -o model.h5 --rel-gap 1e-4 --resume
checkpoint optimum whole.h5 model.h5
tally resume
