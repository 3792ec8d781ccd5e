"""Merkle trees (RFC 6962 section 2.1) and the verification of their proofs (RFC 9162 sections 2.1.3.2 and 2.1.4.2)."""

import hashlib


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf_of(entry):
    return sha256(b"\x00" + entry)


def node(left, right):
    return sha256(b"\x01" + left + right)


def half_of(size):
    half = 1
    while half * 2 < size:
        half *= 2
    return half


def root_of(hashes):
    if not hashes:
        return sha256(b"")
    if len(hashes) == 1:
        return hashes[0]
    half = half_of(len(hashes))
    return node(root_of(hashes[:half]), root_of(hashes[half:]))


def is_included(index, size, leaf, path, root):
    if index >= size:
        return False
    place, last, hash_ = index, size - 1, leaf
    for each in path:
        if last == 0:
            return False
        if place & 1 or place == last:
            hash_ = node(each, hash_)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            hash_ = node(hash_, each)
        place, last = place >> 1, last >> 1
    return last == 0 and hash_ == root


def is_consistent(first, second, first_root, second_root, path):
    if first == second:
        return not path and first_root == second_root
    if first == 0:
        return not path
    if first & (first - 1) == 0:
        path = [first_root] + path
    if not path:
        return False
    place, last = first - 1, second - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = path[0]
    for each in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old, new = node(each, old), node(each, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node(new, each)
        place, last = place >> 1, last >> 1
    return last == 0 and old == first_root and new == second_root
