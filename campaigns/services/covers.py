"""Covers: the picture of a campaign, and those of its scenes."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

from campaigns.errors import NotFound
from campaigns.events import COVER_CHANGED
from campaigns.models import Campaign, Cover, Role, Scene
from campaigns.pictures import Upload
from campaigns.references import Subject
from campaigns.services.log import UnitOfWork, service


@service(Role.GM)
def set_cover(work: UnitOfWork, upload: Upload | None, *, scene: Scene | None = None, key: UUID) -> None:
    """Give the campaign its cover, or one of its scenes its picture; None takes it away. Raises NotFound for the
    scene of another campaign."""
    covered: Campaign | Scene | None = work.campaign
    if scene:
        scenes = Scene.objects.select_related("session")
        covered = scenes.filter(session__campaign=work.campaign, pk=scene.pk).first()
    if covered is None:
        raise NotFound
    before, covered.cover = covered.cover, keep_cover(work, upload)
    if covered.cover == before:
        return
    covered.save(update_fields=["cover"])
    _forget(work, before)
    numbers = {"session": covered.session.number, "scene": covered.number} if isinstance(covered, Scene) else {}
    subject = Subject(f"scene:{covered.pk}", str(covered)) if scene else Subject(f"campaign:{covered.pk}", str(covered))
    payload = {"cover": covered.cover, "session": None, "scene": None} | numbers
    work.record(COVER_CHANGED, payload, subjects=[subject])


def keep_cover(work: UnitOfWork, upload: Upload | None) -> str:
    """Store a picture inside an operation; return its digest, "" for none."""
    if upload is None:
        return ""
    digest = sha256(upload.full).hexdigest()[: Campaign.COVER]
    Cover.objects.get_or_create(
        campaign=work.campaign, digest=digest, defaults={"full": upload.full, "small": upload.small}
    )
    return digest


def _forget(work: UnitOfWork, digest: str) -> None:
    """Delete a picture that nothing shows any more."""
    scenes = Scene.objects.filter(session__campaign=work.campaign, cover=digest)
    if digest and work.campaign.cover != digest and not scenes.exists():
        Cover.objects.filter(campaign=work.campaign, digest=digest).delete()
