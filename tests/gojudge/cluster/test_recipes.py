"""docs/cluster.md: what it has its reader type and save is right, as far as that can be tried here."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.support.documents import ROOT, Saved, steps
from tests.support.missing import needs, no_package, no_program
from tests.support.waiting import PATIENCE, wait_until
from tournament.__main__ import main
from tournament.store.store import read_store

PAGE = ROOT / "docs/cluster.md"
pytestmark = needs("" if find_spec("distributed") else "dask is not installed (make test-cluster)")


def saved(name):
    (text,) = [step.text for step in steps(PAGE) if isinstance(step, Saved) and step.name == name]
    return text


def typed(after):
    """The lines (who, what) of the first block of lines to type after a text."""
    text = PAGE.read_text()
    block = re.search(r"^```text\n(head\$.*?)^```", text[text.index(after) :], re.S | re.M)
    return re.findall(r"^(\w+)\$ +(.*)$", block[1], re.M)


def test_the_lines_are_those_that_the_command_prints(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    lines = [line for _, line in typed("From scratch, command by command")]
    assert main(["cluster", "kit", "tls://head:8786"]) == 0
    printed = [line.strip().replace(f"{tmp_path}/", "") for line in capsys.readouterr().out.splitlines()]
    shown = [line for line in lines if "dask " in line or "pip install" in line]
    assert len(shown) == 3
    assert set(shown) <= set(printed)


# Kubernetes


@needs(no_package("kubernetes-validate", extra="") or no_package("dask-kubernetes", extra=""))
def test_the_manifest_is_one_of_kubernetes_and_the_operator_builds_pods_of_it():
    import kubernetes_validate
    import yaml
    from dask_kubernetes.operator.controller import controller

    manifest = yaml.safe_load(saved("workers.yaml"))
    resources = Path(controller.__file__).parents[1] / "customresources"
    crd = yaml.safe_load((resources / "daskcluster.yaml").read_text())["spec"]
    assert manifest["apiVersion"] == f"{crd['group']}/{crd['versions'][0]['name']}"
    assert manifest["kind"] == crd["names"]["kind"]
    spec, name = manifest["spec"], manifest["metadata"]["name"]
    scheduler = controller.build_scheduler_deployment_spec(name, spec["scheduler"]["spec"], {}, {})
    service = controller.build_scheduler_service_spec(name, spec["scheduler"]["service"], {}, {})
    worker = controller.build_worker_deployment_spec(f"{name}-default", "default", name, "abc", spec["worker"]["spec"], {}, {})
    for each in (scheduler, service, worker):
        kubernetes_validate.validate(each, kubernetes_validate.latest_version(), strict=True)
    (container,) = worker["spec"]["template"]["spec"]["containers"]
    address = f"tls://{service['metadata']['name']}:{service['spec']['ports'][0]['port']}"
    assert address in container["args"]
    assert scheduler["spec"]["template"]["metadata"]["labels"].items() >= service["spec"]["selector"].items()


# SLURM


def no_slurm():
    if os.geteuid():
        return "SLURM is started as root here"
    return no_program("slurmctld", "slurm-wlm") or no_program("munged", "munge") or no_package("dask-jobqueue", extra="")


SLURM = """ClusterName=course
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmdPort={other}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/ctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/ctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


class Processes:
    """Started in the foreground, each with what it says in a file; all are ended in the end."""

    def __init__(self, folder):
        self.folder, self.started, self.last = folder, [], []

    def at_the_end(self, command, environment=None):
        """Have a command run before the processes are ended, whatever becomes of the test."""
        self.last.append((command, environment))

    def start(self, name, command, **options):
        with (self.folder / f"{name}.said").open("wb") as said:
            process = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True, **options)
        self.started.append(process)
        return process

    def says(self, name, part):
        wait_until(lambda: part in self.said(name) or self.ended())
        assert part in self.said(name), self.said(name)

    def said(self, name):
        return (self.folder / f"{name}.said").read_text(errors="replace")

    def ended(self):
        return any(process.poll() is not None for process in self.started)

    def close(self):
        for command, at in reversed(self.last):
            subprocess.run(command, env=at, check=False)
        for process in reversed(self.started):
            if process.poll() is None:
                process.terminate()
                with suppress(subprocess.TimeoutExpired):
                    process.wait(20)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def processes(tmp_path):
    (tmp_path / "said").mkdir()
    found = Processes(tmp_path / "said")
    yield found
    found.close()


def environment(tmp_path, **more):
    return {
        **os.environ, "PYTHONPATH": str(ROOT), "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_CACHE_HOME": str(tmp_path / "cache"), **more,
    }  # fmt: skip


@pytest.mark.slow
@needs(no_slurm())
def test_workers_are_jobs_of_slurm(tmp_path, processes):
    folder = tmp_path / "slurm"
    for each in (folder, folder / "state", folder / "spool"):
        each.mkdir()
    host, ports = os.uname().nodename.split(".")[0], free_ports(3)
    (folder / "slurm.conf").write_text(SLURM.format(host=host, folder=folder, port=ports[0], other=ports[1]))
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o600)
    at = environment(tmp_path, SLURM_CONF=str(folder / "slurm.conf"))
    files = ("key-file=munge.key", "socket=munge.sock", "pid-file=munged.pid", "seed-file=munge.seed", "log-file=munged.log")
    munge = [f"--{each.replace('=', f'={folder}/')}" for each in files]
    processes.start("munged", ["munged", "--foreground", "--force", *munge])
    wait_until((folder / "munge.sock").exists)
    processes.start("slurmctld", ["slurmctld", "-D"], env=at)
    processes.start("slurmd", ["slurmd", "-D"], env=at)
    ask = ["sinfo", "-h", "-o", "%T"]
    wait_until(lambda: subprocess.run(ask, env=at, capture_output=True, text=True).stdout.strip() == "idle")
    address = f"tls://{host}:{ports[2]}"
    run = [sys.executable, "-m", "tournament"]
    subprocess.run([*run, "cluster", "kit", address], cwd=tmp_path, env=at, check=True, stdout=subprocess.DEVNULL)
    script = saved("slurm_workers.py")
    assert script.count(" 8786,") == 1
    (tmp_path / "slurm_workers.py").write_text(script.replace(" 8786,", f" {ports[2]},"))
    processes.at_the_end(["scancel", "--user=root"], at)
    workers = processes.start("script", [sys.executable, "slurm_workers.py", "2"], cwd=tmp_path, env=at, stdin=subprocess.PIPE)
    processes.says("script", "2 workers are asked for")
    gauntlet = ["gauntlet", "smart", "random", "--games=4", "--name=far", f"--cluster={address}", "--verify=50%"]
    done = subprocess.run([*run, *gauntlet], cwd=tmp_path, env=at, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    with read_store(tmp_path / "far.db") as store:
        assert len(store.workers()) == 4
    workers.communicate(b"\n", timeout=PATIENCE)
    ask = ["squeue", "-h", "-t", "running"]
    wait_until(lambda: subprocess.run(ask, env=at, capture_output=True, text=True).stdout.strip() == "")


def free_ports(number):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    found = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return found


# A second machine


def no_second_machine():
    if os.geteuid():
        return "network namespaces are made by root"
    return no_program("ip", "iproute2") or no_program("sshd", "openssh-server") or no_program("ssh", "openssh-client")


HOSTS = "127.0.0.1 localhost\n10.77.0.1 head\n10.77.0.2 machine1\n"
SSHD = """ListenAddress 10.77.0.2
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
StrictModes no
PidFile none
UsePAM no
ForceCommand {folder}/machine1
Subsystem sftp /usr/lib/openssh/sftp-server
"""
# What is typed in the folder of a machine; one whose pip finds its packages in a folder.
MACHINE = """#!/bin/sh
cd {home} && export HOME={home} XDG_CACHE_HOME={home}/.cache PIP_NO_INDEX=1 PIP_FIND_LINKS={packages}
unset PYTHONPATH
exec sh -c "${{SSH_ORIGINAL_COMMAND:-$1}}"
"""


class Machines:
    """`head` and `machine1`: two network namespaces with a cable between them, and an sshd on the second."""

    def __init__(self, folder, processes, packages):
        self.folder, self.processes, self.names = folder, processes, {}
        self.tools = folder / "tools"
        for each in (folder / "home-head", folder / "home-machine1", self.tools):
            each.mkdir()
        for name in ("head", "machine1"):
            space = self.names[name] = f"{name}-{os.getpid()}"
            processes.at_the_end(["ip", "netns", "del", space])
            processes.at_the_end(["rm", "-r", f"/etc/netns/{space}"])
            processes.at_the_end(["sh", "-c", f"ip netns pids {space} | xargs -r kill -9"])
            Path(f"/etc/netns/{space}").mkdir(parents=True)
            Path(f"/etc/netns/{space}/hosts").write_text(HOSTS)
            self.ip(f"netns add {space}")
        self.ip(f"link add veth-head netns {self.names['head']} type veth peer name veth-far netns {self.names['machine1']}")
        for name, cable, own in (("head", "veth-head", "1"), ("machine1", "veth-far", "2")):
            for words in (f"addr add 10.77.0.{own}/24 dev {cable}", f"link set {cable} up", "link set lo up"):
                self.ip(f"-n {self.names[name]} {words}")
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "key")], check=True)
        (folder / "sshd_config").write_text(SSHD.format(folder=folder))
        far = MACHINE.format(home=folder / "home-machine1", packages=packages)
        (folder / "machine1").write_text(far)
        (folder / "machine1").chmod(0o755)
        Path("/run/sshd").mkdir(exist_ok=True)
        self.start("machine1-sshd", "machine1", f"exec {shutil.which('sshd')} -D -e -f {folder}/sshd_config")
        processes.says("machine1-sshd", "Server listening on 10.77.0.2")
        options = (f"IdentityFile {folder}/key", "StrictHostKeyChecking no", "UserKnownHostsFile /dev/null", "LogLevel ERROR")
        (folder / "ssh_config").write_text("".join(f"{option}\n" for option in options))
        for program in ("ssh", "scp"):
            (self.tools / program).write_text(f'#!/bin/sh\nexec {shutil.which(program)} -F {folder}/ssh_config "$@"\n')
            (self.tools / program).chmod(0o755)
        for program in ("dask", "python3"):
            own = Path(sys.executable).parent / program
            (self.tools / program).write_text(f'#!/bin/sh\nexec {own} "$@"\n')
            (self.tools / program).chmod(0o755)

    def ip(self, words):
        subprocess.run(["ip", *words.split()], check=True)

    def within(self, machine):
        return ["ip", "netns", "exec", self.names[machine]]

    def typed(self, machine, line):
        """What a line is run by: a shell on the head, or on the second machine as an ssh would run it."""
        if machine == "machine1":
            return [*self.within(machine), str(self.folder / "machine1"), line]
        home = self.folder / "home-head"
        setting = f"cd {home} && export HOME={home} PATH={self.tools}:$PATH"
        return [*self.within(machine), "sh", "-c", f"{setting} && {line}"]

    def start(self, name, machine, line):
        return self.processes.start(name, [*self.within(machine), "sh", "-c", line])


@pytest.mark.long
@needs(no_second_machine())
def test_a_second_machine_from_nothing_word_by_word(tmp_path, processes, monkeypatch):
    """What pip would fetch from the network lies in a folder; there is no network in the second machine."""
    for name, value in environment(tmp_path).items():
        monkeypatch.setenv(name, value)
    packages = tmp_path / "packages"
    kit = ["tournament", "cluster", "first", "tls://head:1"]
    subprocess.run([sys.executable, "-m", *kit], cwd=tmp_path, check=True, stdout=subprocess.DEVNULL)
    wheel = ["pip", "download", "--quiet", "--dest", str(packages), "-r", "requirements.txt"]
    subprocess.run([sys.executable, "-m", *wheel], cwd=tmp_path / "first/worker", check=True)
    machines = Machines(tmp_path, processes, packages)
    folder = "."
    for number, (machine, line) in enumerate(typed("From scratch, command by command")):
        if line.startswith("cd "):
            folder = line.removeprefix("cd ")
            continue
        whole = f"cd {folder} && {line}" if machine == "machine1" else line
        if "dask scheduler" in line or "dask worker" in line:
            processes.start(f"line-{number}", machines.typed(machine, whole))
            processes.says(f"line-{number}", "Scheduler at:" if "scheduler" in line else "Registered to:")
            continue
        done = subprocess.run(machines.typed(machine, whole), capture_output=True, text=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
    assert "20 of 20 games are saved in far.db" in done.stderr
    assert "tls://10.77.0.2:" in done.stderr
    with read_store(tmp_path / "home-head/far.db") as store:
        assert all(worker.startswith("tls://10.77.0.2:") for worker in store.workers().values())
    by_ssh = typed("### Many machines by ssh")[0][1].replace("machine1 machine2", "machine1")
    processes.start("by-ssh", machines.typed("head", by_ssh))
    processes.says("by-ssh", "Registered to:")
