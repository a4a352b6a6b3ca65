"""A kit: a folder with all that a cluster is started with.

    head/      for this machine: certificates of the scheduler and of the client, as which runs join
    worker/    for every other machine: a worker's certificate, this program as a wheel, and what pip installs beside it

Whoever holds one of the certificates may join. Those of a kit come from an authority of its own, whose key is not kept: to shut
somebody out, make a new kit. Runs find a kit by the scheduler's address, in a file of this user's configuration.
"""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import shlex
import zipfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

from goban.common.command_lines import how_to_install
from goban.common.excerpts import quoted, quoted_path
from goban.common.files import write_beside
from gojudge.cluster.dask_link import remember_kit
from gojudge.errors import ClusterError
from gojudge.inside.workdirs import remove_tree

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.x509 import Certificate, ObjectIdentifier

_DAYS = 365
_NAME = "go-competition-harness"
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = ("goban", "gojudge", "golearn", "players", "tournament")
_MODULES = (
    "go.py", "go_play.py", "my_player.py", "my_player3.py", "my_player_search.py", "my_player_table.py", "my_player_table.bin",
)  # fmt: skip
# What must be the same everywhere, and what dask complains of if it is not.
_PINNED = ("distributed", "numpy", "numba", "cloudpickle", "msgpack", "tornado")
# A zip knows no time before 1980; with a fixed one the same files give the same bytes.
_NO_TIME = (1980, 1, 1, 0, 0, 0)
# It ends so many seconds after the scheduler: on a machine of others it should not be forgotten.
_WORKER = "--death-timeout 60 --no-dashboard"
_ADDRESS = re.compile(r"tls://(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+):(\d{1,5})")


@dataclass(frozen=True)
class Kit:
    """A kit that was made. folder: absolute. address: of the scheduler. until: the day on which its certificates end."""

    folder: Path
    address: str
    until: str

    @property
    def scheduler(self) -> str:
        """The line that starts the scheduler on this machine."""
        port = self.address.rpartition(":")[2]
        authority, own = (shlex.quote(str(self.folder / "head" / name)) for name in ("ca.pem", "scheduler.pem"))
        tls = f"--tls-ca-file {authority} --tls-cert {own} --tls-key {own}"
        return f"dask scheduler --protocol tls --port {port} --no-dashboard {tls}"

    @property
    def install(self) -> str:
        """The line that installs this program in a copy of the folder `worker`."""
        return "python3 -m venv env && env/bin/python -m pip install -r requirements.txt"

    @property
    def worker(self) -> str:
        """The line that starts workers there, one for each core."""
        tls = "--tls-ca-file ca.pem --tls-cert worker.pem --tls-key worker.pem"
        return f"env/bin/dask worker {self.address} --nworkers $(nproc) --nthreads 1 --memory-limit 0 {_WORKER} {tls}"


def make_kit(folder: Path, address: str, now: datetime) -> Kit:
    """Make a kit in a folder that is not there yet. address: tls://HOST:PORT. now: aware. Raises ClusterError, OSError."""
    match = _ADDRESS.fullmatch(address)
    if match is None or not 0 < int(match[2]) < 65536:
        raise ClusterError(f"expected tls://HOST:PORT of this machine, as workers are to reach it, got {quoted(address)}")
    if folder.exists():
        raise ClusterError(f"{quoted_path(folder)}: expected a folder that is not there yet")
    pins = _pins()
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise ClusterError(f"needs cryptography, which is not installed: {how_to_install('cluster')}") from None
    part = folder.with_name(f"{folder.name}.part")
    # Of one that was killed.
    remove_tree(part)
    head, worker = part / "head", part / "worker"
    for each in (part, head, worker):
        each.mkdir(mode=0o700)
    until = _write_certificates(head, worker, now)
    wheel = write_wheel(worker)
    write_beside(worker / "requirements.txt", "".join(f"{line}\n" for line in (f"./{wheel.name}[cluster]", *pins)).encode())
    part.rename(folder)
    kit = Kit(folder.absolute(), address, f"{until:%Y-%m-%d}")
    remember_kit(address, kit.folder)
    return kit


def _pins() -> list[str]:
    """Return the lines of pip for packages of which workers must have the version of here."""
    pins = []
    for package in _PINNED:
        try:
            pins.append(f"{package}=={version(package)}")
        except PackageNotFoundError:
            if package == "distributed":
                raise ClusterError(f"needs dask, which is not installed: {how_to_install('cluster')}") from None
    return pins


# Certificates


def _write_certificates(head: Path, worker: Path, now: datetime) -> datetime:
    """Write those of a new authority; return when they end."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding
    from cryptography.x509.oid import ExtendedKeyUsageOID

    until = now + timedelta(days=_DAYS)
    key = ec.generate_private_key(ec.SECP256R1())
    authority = _certificate(f"{_NAME} cluster", key, None, now, until, [])
    serves, joins = ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH
    roles = ("scheduler", head, [serves, joins]), ("worker", worker, [serves, joins]), ("client", head, [joins])
    for role, folder, purposes in roles:
        own = ec.generate_private_key(ec.SECP256R1())
        made = _certificate(role, own, (authority, key), now, until, purposes)
        _write_secret(folder / f"{role}.pem", _pem(own) + made.public_bytes(Encoding.PEM))
        write_beside(folder / "ca.pem", authority.public_bytes(Encoding.PEM))
    return until


def _certificate(
    name: str, key: EllipticCurvePrivateKey, issuer: tuple[Certificate, EllipticCurvePrivateKey] | None, now: datetime,
    until: datetime, purposes: list[ObjectIdentifier],
) -> Certificate:  # fmt: skip
    """Return a certificate, or without an issuer an authority's. purposes: OIDs of what it may be used for."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes
    from cryptography.x509.oid import NameOID

    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    authority, signing = issuer or (None, key)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject if authority is None else authority.subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Clocks of machines differ.
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(until)
        .add_extension(x509.BasicConstraints(authority is None, 0 if authority is None else None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signing.public_key()), critical=False)
    )
    if authority is None:
        signs = dict.fromkeys(("key_cert_sign", "crl_sign"), True)
        others = (
            "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
            "encipher_only", "decipher_only",
        )  # fmt: skip
        builder = builder.add_extension(x509.KeyUsage(**signs, **dict.fromkeys(others, False)), critical=True)
    else:
        builder = builder.add_extension(x509.ExtendedKeyUsage(purposes), critical=False)
    return builder.sign(signing, hashes.SHA256())


def _pem(key: EllipticCurvePrivateKey) -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    data: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return data


def _write_secret(path: Path, data: bytes) -> None:
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(data)


# The wheel


def write_wheel(folder: Path) -> Path:
    """Pack this program's own files into a wheel; return its path. Raises ClusterError if it is not installed.

    Workers must have these very files, whether they come from a release, or from a clone with changes.
    """
    try:
        installed = distribution(_NAME)
    except PackageNotFoundError:
        raise ClusterError(f"expected this program to be installed: {how_to_install('cluster')}") from None
    information = f"{_NAME.replace('-', '_')}-{installed.version}.dist-info"
    files = {str(path.relative_to(_ROOT)): path.read_bytes() for path in _program()}
    files |= {f"{information}/{name}": text.encode() for name, text in _information(installed).items()}
    record = f"{information}/RECORD"
    lines = [f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()]
    files[record] = "".join([*lines, f"{record},,\n"]).encode()
    path = folder / f"{information.removesuffix('.dist-info')}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            about = zipfile.ZipInfo(name, _NO_TIME)
            about.external_attr, about.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            wheel.writestr(about, data)
    return path


def _program() -> list[Path]:
    """Return all files of this program, in order."""
    paths = [_ROOT / name for name in _MODULES]
    paths += [path for package in _PACKAGES for path in sorted((_ROOT / package).rglob("*")) if "__pycache__" not in path.parts]
    return [path for path in paths if path.is_file()]


def _information(installed: Distribution) -> dict[str, str]:
    """Return what stands in a wheel's folder about itself."""
    tag = f"Wheel-Version: 1.0\nGenerator: {_NAME} ({installed.version})\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    described = installed.read_text("METADATA") or installed.read_text("PKG-INFO") or ""
    return {"METADATA": described, "WHEEL": tag, "entry_points.txt": installed.read_text("entry_points.txt") or ""}


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def python_needed() -> str:
    """Return which Python workers must have, in words."""
    return f"Python {platform.python_version()}"
