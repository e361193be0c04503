"""The codes that an agent can read without an author's doing; `docs/errors.md` says what each means."""

from __future__ import annotations

CODES = (
    "ANSWER_TOO_LONG",
    "ARTIFACT_REFUSED",
    "CANCELLED",
    "CONFIRMATION_UNAVAILABLE",
    "CREDENTIAL_UNAVAILABLE",
    "FORM_REFUSED",
    "HOST_FAILED",
    "IDEMPOTENCY_CONFLICT",
    "INVALID_TOOL_ARGS",
    "NOT_ALLOWED",
    "NOT_OWNER",
    "PAGE_ERROR",
    "PAGE_NOT_READY",
    "RESOURCE_CHANGED",
    "RESOURCE_DISPOSED",
    "SESSION_NOT_FOUND",
    "STALE_TOOL_CALL",
    "TOOL_CHANGED",
    "TOOL_ERROR",
    "TOOL_HANDLER_ERROR",
    "TOOL_NOT_FOUND",
    "TOOL_OUTPUT_INVALID",
    "TOOL_TIMEOUT",
    "UI_CONTEXT_CLOSED",
    "USER_DENIED",
    "VERSION_CONFLICT",
)
