{{/* The name of every object of admission: that of the release, if it is admission's and has no server. */}}
{{- define "attestry.admission.fullname" -}}
{{- $name := include "attestry.fullname" . -}}
{{- printf "%s-admission" (ternary $name (trimSuffix "-admission" $name) .Values.server.enabled) -}}
{{- end -}}

{{/* The name of the webhook configuration, which has no namespace: with it, so that two releases do not share one. */}}
{{- define "attestry.admission.clusterName" -}}
{{- $name := include "attestry.admission.fullname" . -}}
{{- ternary $name (printf "%s-%s" .Release.Namespace $name) (eq .Release.Namespace $name) -}}
{{- end -}}

{{/* The secret with the key by which admission asks the server. */}}
{{- define "attestry.admission.secretName" -}}
{{- if .Values.admission.apiKey.existingSecret -}}
{{- tpl .Values.admission.apiKey.existingSecret . -}}
{{- else -}}
{{- include "attestry.admission.fullname" . -}}
{{- end -}}
{{- end -}}

{{/* The secret with the certificate of the webhook and its key. */}}
{{- define "attestry.admission.tlsSecretName" -}}
{{- if .Values.admission.tls.existingSecret -}}
{{- tpl .Values.admission.tls.existingSecret . -}}
{{- else -}}
{{- printf "%s-tls" (include "attestry.admission.fullname" .) -}}
{{- end -}}
{{- end -}}

{{/* Fails for values that contradict one another. */}}
{{- define "attestry.admission.validate" -}}
{{- $admission := .Values.admission -}}
{{- $tls := $admission.tls -}}
{{- if and $admission.environment $admission.policies -}}
{{- fail "admission.environment and admission.policies exclude one another" -}}
{{- end -}}
{{- if not (or $admission.environment $admission.policies $admission.rules) -}}
{{- fail "admission needs something that decides: set admission.environment, admission.policies, or admission.rules with an entry for each namespace" -}}
{{- end -}}
{{- if and $tls.certificate $tls.ca -}}
{{- fail "admission.tls.certificate and admission.tls.ca exclude one another: cert-manager fills in the authority of its certificate" -}}
{{- end -}}
{{- if not (or $tls.certificate $tls.ca) -}}
{{- fail "admission.tls needs a certificate that API servers trust: set admission.tls.certificate to the name of a Certificate of cert-manager, or admission.tls.existingSecret to a secret with tls.crt and tls.key and admission.tls.ca to its authority (--set-file admission.tls.ca=ca.crt)" -}}
{{- end -}}
{{- if and $tls.ca (not $tls.existingSecret) -}}
{{- fail "admission.tls.ca needs admission.tls.existingSecret: the secret with tls.crt and tls.key that this authority has signed" -}}
{{- end -}}
{{- end -}}
