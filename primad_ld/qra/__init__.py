"""Quantified reproducibility assessment: how precise are scores that were measured again?

Belz, Popović and Mille, Quantified Reproducibility Assessment of NLP Results, ACL 2022.
"""
