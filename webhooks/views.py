"""The page of a campaign's webhooks, and that of one with its deliveries."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.models import Role, Viewer
from campaigns.views.answers import tried
from webhooks import services
from webhooks.forms import WebhookForm
from webhooks.models import Delivery, Format, Webhook


@never_cache
@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def webhooks(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show all webhooks. The answer to adding one shows its secret, once."""
    form = WebhookForm(request.POST or None)
    status = tried(request, form, lambda: _add(viewer, form, request_key(request)))
    listed = Webhook.objects.filter(campaign=viewer.campaign)
    made = None
    if not status:
        made, form = listed.filter(pk=request_key(request)).first(), WebhookForm()
    secret = made.secret if made and made.format == Format.STANDARD else ""
    context = {"viewer": viewer, "form": form, "secret": secret, "webhooks": listed}
    return render(request, "webhooks/webhooks.html", context, status=status or 200)


def _add(viewer: Viewer, form: WebhookForm, key: UUID) -> Webhook:
    given = form.cleaned_data
    return services.add_webhook(
        viewer.by, given["address"], sent_as=Format(given["format"]), topics=given["topics"], key=key
    )


@require_GET
@member_view(Role.GM)
def webhook(request: HttpRequest, viewer: Viewer, webhook_id: UUID) -> HttpResponse:
    shown = services.webhook_of(viewer.campaign, webhook_id)
    deliveries = shown.deliveries.all()[: Delivery.SHOWN]
    return render(request, "webhooks/webhook.html", {"viewer": viewer, "webhook": shown, "deliveries": deliveries})


@require_POST
@member_view(Role.GM)
def webhook_switch(request: HttpRequest, viewer: Viewer, webhook_id: UUID) -> HttpResponse:
    on = request.POST.get("on") == "1"
    services.switch_webhook(viewer.by, webhook_id, on=on, key=request_key(request))
    messages.success(request, _("Webhook switched on.") if on else _("Webhook switched off."))
    return redirect("webhook", viewer.campaign.slug, webhook_id)


@require_POST
@member_view(Role.GM)
def webhook_remove(request: HttpRequest, viewer: Viewer, webhook_id: UUID) -> HttpResponse:
    services.remove_webhook(viewer.by, webhook_id, key=request_key(request))
    messages.success(request, _("Webhook removed."))
    return redirect("webhooks", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def webhook_test(request: HttpRequest, viewer: Viewer, webhook_id: UUID) -> HttpResponse:
    services.send_test(viewer.by, webhook_id, key=request_key(request))
    messages.success(request, _("Test sent. Reload the page to see the answer."))
    return redirect("webhook", viewer.campaign.slug, webhook_id)


@require_POST
@member_view(Role.GM)
def delivery_again(request: HttpRequest, viewer: Viewer, delivery_id: int) -> HttpResponse:
    webhook = services.send_again(viewer.by, delivery_id, key=request_key(request))
    messages.success(request, _("Sent. Reload the page to see the answer."))
    return redirect("webhook", viewer.campaign.slug, webhook.pk)
