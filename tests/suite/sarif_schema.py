"""The parts of the published schema of SARIF 2.1.0 (OASIS, sarif-schema-2.1.0.json) that our files use.

As there: objects take no property that is not named, and what is required is required.
"""

from __future__ import annotations

from typing import Any


def _object(required: str = "", **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {"properties": {"type": "object"}, **properties},
        "required": required.split(),
        "additionalProperties": False,
    }


def _list(items: Any) -> dict[str, Any]:
    return {"type": "array", "items": items}


_TEXT = {"type": "string"}
_INDEX = {"type": "integer", "minimum": -1}
_LEVEL = {"enum": ["none", "note", "warning", "error"]}
_MESSAGE = {
    **_object(text=_TEXT, markdown=_TEXT, id=_TEXT, arguments=_list(_TEXT)),
    "anyOf": [{"required": ["text"]}, {"required": ["id"]}],
}
_ARTIFACT = _object(
    uri={"type": "string", "format": "uri-reference", "pattern": r"^[^\s\\]*$"},
    uriBaseId=_TEXT,
    index=_INDEX,
    description=_MESSAGE,
)
_REGION = _object(
    startLine={"type": "integer", "minimum": 1},
    startColumn={"type": "integer", "minimum": 1},
    endLine={"type": "integer", "minimum": 1},
    endColumn={"type": "integer", "minimum": 1},
)
_PHYSICAL = {
    **_object(artifactLocation=_ARTIFACT, region=_REGION, contextRegion=_REGION),
    "anyOf": [{"required": ["address"]}, {"required": ["artifactLocation"]}],
}
_LOGICAL = _object(name=_TEXT, index=_INDEX, fullyQualifiedName=_TEXT, decoratedName=_TEXT, kind=_TEXT)
_LOCATION = _object(id=_INDEX, physicalLocation=_PHYSICAL, logicalLocations=_list(_LOGICAL), message=_MESSAGE)
_STACK = _object("frames", message=_MESSAGE, frames=_list(_object(location=_LOCATION, module=_TEXT)))
_RULE = _object(
    "id",
    id=_TEXT,
    name=_TEXT,
    shortDescription=_object("text", text=_TEXT, markdown=_TEXT),
    fullDescription=_object("text", text=_TEXT, markdown=_TEXT),
    helpUri={"type": "string", "format": "uri"},
    defaultConfiguration=_object(enabled={"type": "boolean"}, level=_LEVEL, rank={"type": "number"}),
)
_RESULT = _object(
    "message",
    ruleId=_TEXT,
    ruleIndex=_INDEX,
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    level=_LEVEL,
    message=_MESSAGE,
    locations=_list(_LOCATION),
    stacks=_list(_STACK),
    fingerprints={"type": "object", "additionalProperties": _TEXT},
    partialFingerprints={"type": "object", "additionalProperties": _TEXT},
)
_DRIVER = _object(
    "name",
    name=_TEXT,
    version=_TEXT,
    semanticVersion=_TEXT,
    informationUri={"type": "string", "format": "uri"},
    rules={**_list(_RULE), "uniqueItems": True},
)
_RUN = _object(
    "tool",
    tool=_object("driver", driver=_DRIVER),
    columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
    originalUriBaseIds={"type": "object", "additionalProperties": _ARTIFACT},
    results=_list(_RESULT),
)
SCHEMA = {
    **_object(
        "version runs",
        version={"enum": ["2.1.0"]},
        runs=_list(_RUN),
        **{"$schema": {"type": "string", "format": "uri"}},
    ),
    "$schema": "http://json-schema.org/draft-07/schema#",
}
