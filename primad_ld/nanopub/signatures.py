"""Signatures of nanopublications: RSA and DSA over SHA-256, computed by `cryptography`.

What is signed is the text that the artifact code is a digest of, without the statement that
holds the signature.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from primad_ld.core.errors import PrimadError
from primad_ld.core.iris import XSD
from primad_ld.nanopub.nanopubs import Nanopub
from primad_ld.rdf import nanopub_terms as terms
from primad_ld.rdf.subject_index import Object

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.dsa import DSAPublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey

# Of 16,384 bits in RSA, which is the most that OpenSSL reads, some 2,800.
_LONGEST_KEY: Final = 10_000
_ALGORITHMS: Final = ("RSA", "DSA")
#: What a user does without the libraries of the extra.
_INSTALL: Final = "pip install 'primad-ld[nanopub]'"


_SIGNATURE_TERMS: Final = frozenset(
    {terms.HAS_SIGNATURE, terms.HAS_PUBLIC_KEY, terms.HAS_TARGET, terms.HAS_ALGORITHM}
)


class SignatureError(PrimadError):
    """A signature that does not hold, and why not."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Signature:
    """What a nanopublication says of its signature."""

    node: str
    algorithm: str
    public_key: str
    value: str
    signers: tuple[str, ...]


def signature_of(nanopub: Nanopub) -> Signature | None:
    """The signature that a nanopublication states; None where it states none.

    Raises:
        SignatureError: It states half of one, or several.
    """
    nodes = _nodes(nanopub)
    if not nodes:
        return None
    if len(nodes) > 1:
        raise SignatureError(f"{len(nodes)} signatures, where there may be one")
    (node,) = nodes
    if _only(nanopub, node, terms.HAS_TARGET, "target") != (nanopub.uri, None, None):
        raise SignatureError("the signature is that of something else")
    return Signature(
        node=node,
        algorithm=_text(nanopub, node, terms.HAS_ALGORITHM, "algorithm"),
        public_key=_text(nanopub, node, terms.HAS_PUBLIC_KEY, "public key"),
        value=_text(nanopub, node, terms.HAS_SIGNATURE, "value"),
        signers=tuple(
            one.value for one in nanopub.objects(node, terms.SIGNED_BY) if one.datatype is None
        ),
    )


def digest_of_key(public_key: str) -> str:
    """What tells a public key, as registries abbreviate them, too."""
    return sha256(public_key.encode()).hexdigest()


def states_signature(nanopub: Nanopub) -> bool:
    """Whether a nanopublication states a signature, or a part of one."""
    return bool(_nodes(nanopub))


def _nodes(nanopub: Nanopub) -> set[str]:
    # Elsewhere, keys and signatures are what a nanopublication is about, as in an introduction.
    return {
        one.subject
        for one in nanopub.statements
        if one.predicate in _SIGNATURE_TERMS and one.graph == nanopub.pubinfo
    }


def _text(nanopub: Nanopub, node: str, predicate: str, name: str) -> str:
    found = _only(nanopub, node, predicate, name)
    # In another type, the signature's value would make a second name for what was signed once.
    if found.datatype != XSD + "string":
        raise SignatureError(f"the signature states its {name} otherwise than as a plain text")
    return found.value


def _only(nanopub: Nanopub, node: str, predicate: str, name: str) -> Object:
    found = nanopub.objects(node, predicate)
    if len(found) != 1:
        raise SignatureError(f"the signature states {len(found) or 'no'} {name}, where one belongs")
    return found[0]


def check_signature(signature: Signature, text: str) -> None:
    """Whether a signature is that of this text, which `trusty.text_of` made.

    Raises:
        SignatureError: It is not.
    """
    if signature.algorithm not in _ALGORITHMS:
        raise SignatureError(f"the algorithm is {signature.algorithm[:40]!r}; it may be RSA or DSA")
    if not _verifies(signature, text.encode()):
        raise SignatureError("the signature is not that of this text by this key")


def _verifies(signature: Signature, text: bytes) -> bool:
    needs_cryptography()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.hashes import SHA256

    key = _public_key(signature.public_key, signature.algorithm)
    value = _decoded(signature.value, "value of the signature")
    try:
        if isinstance(key, RSAPublicKey):
            key.verify(value, text, PKCS1v15(), SHA256())
        else:
            key.verify(value, text, SHA256())
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=256)
def _public_key(text: str, algorithm: str) -> RSAPublicKey | DSAPublicKey:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.dsa import DSAPublicKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
    from cryptography.hazmat.primitives.serialization import load_der_public_key

    if len(text) > _LONGEST_KEY:
        raise SignatureError("the public key is longer than keys are")
    try:
        key = load_der_public_key(_decoded(text, "public key"))
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise SignatureError("the public key cannot be read") from None
    if isinstance(key, RSAPublicKey) and algorithm == "RSA":
        return key
    if isinstance(key, DSAPublicKey) and algorithm == "DSA":
        return key
    raise SignatureError(f"the public key is none of {algorithm}")


def _decoded(text: str, name: str) -> bytes:
    try:
        found = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise SignatureError(f"the {name} is not written in Base64") from None
    # Of several ways to write the same bytes, others would make new names for what they never signed.
    if b64encode(found).decode() != text:
        raise SignatureError(f"the {name} is written in Base64 in an unusual way")
    return found


def sign_text(text: str, key: RSAPrivateKey) -> bytes:
    """The signature of a text that `trusty.text_of` made."""
    from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
    from cryptography.hazmat.primitives.hashes import SHA256

    return key.sign(text.encode(), PKCS1v15(), SHA256())


def needs_cryptography() -> None:
    """Raise an error that says what to install, where signatures cannot be computed."""
    try:
        import cryptography  # noqa: F401
    except ImportError:
        raise PrimadError(
            f"signatures need the library cryptography; install it with {_INSTALL}"
        ) from None
