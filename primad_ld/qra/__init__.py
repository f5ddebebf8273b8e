"""Quantified reproducibility assessment (QRA): how precise are scores that were measured again?

Measurements come in from files (`reading`), replication tracks and archives, each with the
conditions under which it was made. Assessments go out: CV* of each object and measurand, and what
differs between its measurements; as tables, JSON, CSV and RDF, and into archives. `plus` has the
four types of results of QRA++.

Belz, Popović and Mille, Quantified Reproducibility Assessment of NLP Results, ACL 2022.
"""
