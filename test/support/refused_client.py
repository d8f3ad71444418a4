"""Sends requests whose bodies the server refuses, by urllib, and prints what became of each.

Usage: python3 refused_client.py CALLS.json
"""

import json
import sys
import urllib.error
import urllib.request

CHUNK_BYTES = 65_536


def body_of(call):
    content = call["head"].encode() + b"x" * call["fillBytes"] + call["tail"].encode()
    if not call["isChunked"]:
        return content
    return (content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES))


def outcome_of(call):
    request = urllib.request.Request(
        call["url"], data=body_of(call), method=call["method"], headers=call["headers"]
    )
    try:
        with urllib.request.urlopen(request) as response:
            return str(response.status)
    except urllib.error.HTTPError as refusal:
        told = json.loads(refusal.read())["status"]
        return str(told) if told == refusal.code else f"{refusal.code} with another body"
    except OSError as fault:
        return repr(getattr(fault, "reason", fault))


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([outcome_of(call) for call in json.load(file)]))
