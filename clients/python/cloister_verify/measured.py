"""Checks what a quote's registers prove: boot log, start log, source, claims, and which GPUs were measured."""
from typing import Any, Optional, Sequence

from .check_table import MEASURED
from .checks import Check, CheckList, Step, given
from .errors import AttestationError, malformed, refused
from .eventlog import (
    StartEvent, composition_of, format_event_log, parse_boot_log, replay, replay_start_log, require_complete_start,
)  # fmt: skip
from .evidence import Evidence
from .jsons import loads
from .quote import TdBody
from .report import Report, sha256_digest
from .verify_quote import QuoteVerification

#: The check that stands for the devices in evidence, which this verifier does not verify.
DEVICES = "gpu-devices"


def check_measured(
    quote: Optional[QuoteVerification], report: Step, evidence: Step, policy: Optional[dict[str, Any]]
) -> list[Check]:
    """The evidence and the policy decide which checks are optional."""
    checks, optional = CheckList(MEASURED), set[str]()
    body = given("quote-format", quote and quote.quote and quote.quote.body)
    shown: Optional[Evidence] = evidence.value
    if shown is not None and shown.boot_log is None:
        checks.skip("boot-log", "the evidence has no boot log: only the policy can pin RTMR0 to RTMR2")
        optional.add("boot-log")
    else:
        checks.run("boot-log", [evidence, body], _require_boot_log)
    started = checks.run("start-log", [evidence, body], _require_start_log)
    checks.run("whole-start", [started], require_complete_start)
    allowed = (policy or {}).get("started", {})
    checks.run("started", [started], lambda events: _require_started(events, allowed))
    _check_source(checks, report, started, policy, optional)
    _check_claims(checks, evidence, started, optional)
    others = _check_devices(checks, shown, started, body, policy, optional)
    return [one.with_(required=one.id not in optional) for one in checks.all()] + others


def _require_boot_log(shown: Evidence, td: TdBody) -> str:
    events = parse_boot_log(shown.boot_log or b"")
    replayed = replay(events)
    for register in range(3):
        if replayed[register] != td.rtmrs[register]:
            raise refused(f"the event log gives another RTMR{register} than the quote")
    return f"{len(events)} events"


def _require_start_log(shown: Evidence, td: TdBody) -> list[StartEvent]:
    if replay_start_log(shown.start_log) != td.rtmrs[3]:
        raise refused("the start log replays to another RTMR3 than the quote has")
    if shown.event_log is not None and shown.event_log != format_event_log(shown.start_log):
        raise refused("event_log, the copy for ACI verifiers, differs from the start log")
    if shown.composition is not None and shown.composition != composition_of(shown.start_log):
        raise refused("app_compose, the copy for ACI verifiers, differs from the measured content")
    return shown.start_log


def _require_started(events: Sequence[StartEvent], allowed: dict[str, list[str]]) -> str:
    for name, contents in allowed.items():
        found = [event.content for event in events if event.name == name]
        if not found:
            raise refused("the start log lacks an entry that the policy requires")
        if not all(content in contents or sha256_digest(content.encode()) in contents for content in found):
            raise refused(f"an entry {name} has a content that the policy does not allow")
    return ", ".join(allowed) or "the policy has no requirements"


def parsed_content(content: str) -> Any:
    """The content as JSON, or the content itself if it is not JSON."""
    try:
        return loads(content)
    except ValueError:
        return content
    except RecursionError:
        raise malformed("an entry of the start log is nested too deeply") from None


def content_of(events: Sequence[StartEvent], name: str) -> Any:
    """The parsed content of the first event of that name."""
    content = next((event.content for event in events if event.name == name), None)
    return None if content is None else parsed_content(content)


def _member(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _check_source(
    checks: CheckList, report: Step, started: Step, policy: Optional[dict[str, Any]], optional: set[str]
) -> None:
    allowed = (policy or {}).get("sources")
    if allowed == "any":
        checks.skip("source", "the policy waives it")
        optional.add("source")
        return
    provenance = report.value.provenance if report.passed else {}
    is_unnamed = provenance.get("commit") is None and provenance.get("imageDigest") is None
    if policy is None and report.passed and is_unnamed:
        checks.skip("source", "the report names no source, and no policy was given")
        return

    def require_source(shown: Report, events: Sequence[StartEvent]) -> str:
        source = shown.provenance
        if is_unnamed:
            raise refused("the report names neither a commit nor an image")
        measured = _member(content_of(events, "cloister.build"), "source")
        for member, value in source.items():
            if value is not None and _member(measured, member) != value:
                raise refused(f"{member} was not measured: it is in the report only")
        members = {"repoUrl": "repositoryUrl", "repoCommit": "commit", "imageDigest": "imageDigest"}
        matches = [all(source[members[name]] == text for name, text in one.items()) for one in allowed or []]
        if allowed is not None and not any(matches):
            raise refused("the source is not among the policy's sources")
        return " ".join(value for value in source.values() if value is not None)

    checks.run("source", [report, started], require_source)


def _check_claims(checks: CheckList, evidence: Step, started: Step, optional: set[str]) -> None:
    unmeasured: list[str] = []

    def classify(shown: Evidence, events: Sequence[StartEvent]) -> str:
        measured: list[str] = []
        for kind, value in shown.claims:
            found = [parsed_content(event.content) for event in events if event.name == kind]
            if not found:
                unmeasured.append(kind)
            elif any(_is_same(one, value) for one in found):
                measured.append(kind)
            else:
                raise refused("a claim differs from the measured event of that name")
        return ", ".join(measured) or "the evidence has no claims"

    checks.run("claims", [evidence, started], classify)
    if unmeasured:
        checks.skip("claims", "the evidence has claims that were not measured")
        optional.add("claims")


def _is_same(one: Any, other: Any) -> bool:
    """Python takes True for 1, so types are compared as well."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def _are_gpus_absent(events: Sequence[StartEvent]) -> bool:
    """Whether the start log lists no GPU and every model computes on the CPU."""
    gpus = _member(content_of(events, "cloister.gpu"), "gpus")
    devices = [_member(parsed_content(event.content), "device") for event in events if event.name == "cloister.model"]
    is_on_cpu = all(not isinstance(device, str) or device.startswith("CPU") for device in devices)
    return gpus == [] and is_on_cpu


def _is_malformed_or_absent(events: Sequence[StartEvent]) -> bool:
    try:
        return _are_gpus_absent(events)
    except AttestationError:
        return True


def _check_devices(
    checks: CheckList, shown: Optional[Evidence], started: Step, body: Step, policy: Optional[dict[str, Any]],
    optional: set[str],
) -> list[Check]:  # fmt: skip
    """Verifies that no GPU is in use. Devices in the evidence are not verified, so that the verdict is at best ``could-not-check``."""
    is_required = (policy or {}).get("gpuRequired") is True
    is_bare = shown is not None and shown.device_count == 0
    may_skip = shown is not None and shown.simulated and not is_required and is_bare
    if may_skip and not _is_malformed_or_absent(shown.start_log):
        for id_ in ("gpu", "gpu-binding", "gpu-node"):
            checks.skip(id_, "GPU attestation skipped: simulated platform")
            optional.add(id_)
        return []
    devices = Step(DEVICES, True, shown) if is_bare and body.passed else Step(DEVICES)
    checks.run("gpu", [started], lambda events: _require_gpus(events, is_required))
    checks.run("gpu-binding", [started, devices], lambda events, _none: _require_no_measured_devices(events))
    checks.run("gpu-node", [devices], lambda _none: "no GPU is in protected PCIe mode")
    if is_bare or shown is None or not body.passed:
        return []
    reason = "this verifier does not verify GPUs: use cloister-verify"
    return [Check(DEVICES, "The GPUs and switches in the evidence are verified", reason=reason)]


def _require_gpus(events: Sequence[StartEvent], is_required: bool) -> str:
    facts = content_of(events, "cloister.gpu")
    measured = _member(facts, "gpus")
    if not isinstance(measured, list):
        raise refused("the start log has no list of GPUs")
    if not measured:
        if not _are_gpus_absent(events):
            raise refused("a model computes on a GPU that was not measured at the start")
        if is_required:
            raise refused("the server has no GPU, but the policy requires one")
        return "no GPU is in use"
    is_protected = _member(facts, "multiGpu") == "protected-pcie"
    if not is_protected and _member(facts, "confidentialCompute") is not True:
        raise refused("confidential computing was off at the start")
    if _member(facts, "developerTools") is not False:
        raise refused("developer tools were on at the start")
    return f"{len(measured)} in confidential mode"


def _require_no_measured_devices(events: Sequence[StartEvent]) -> str:
    facts = content_of(events, "cloister.gpu")
    for name in ("gpus", "switches"):
        listed = _member(facts, name)
        if listed is not None and not isinstance(listed, list):
            raise refused(f"the start log has no list of {name}")
        if listed:
            raise refused(f"{len(listed)} {name} were measured at the start, but the evidence has none")
    return "no GPU is present"


